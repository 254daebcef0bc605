#~ PW1003
class "short" {
  priority = 1
  run_time = "8h"
}
