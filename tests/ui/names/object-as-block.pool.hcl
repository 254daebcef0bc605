#~ PW1001
class "urgent" {
  priority = 10
  limits { gpus = 8, run_time = "8h" }
}

class "later" {
  priority = 5

  limits {
    gpus     = 8
    run_time = "8h"
  }
}
