#~ PW1001
class "short" {
  priority = 1

  limits {
    run_time = "8h"
  }
}
