#~ PW0029
class "short" {
  priority = 1
  limits   = { run_time = "8h", gpus = 8, run_time = "9h" }
}
