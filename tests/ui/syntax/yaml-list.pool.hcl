#~ PW0022
tenant "vision" {
  namespaces:
    - vision
    - "vision-dev"
  description = "words and pixels"
}

class "urgent" {
  limits:
    gpus: 8
    run_time: "8h"
  priority = 10
}
