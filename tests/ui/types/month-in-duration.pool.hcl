#~ PW2002
class "short" {
  priority = 1
  limits   = { run_time = "1month" }
}
