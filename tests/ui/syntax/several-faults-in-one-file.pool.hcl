#~ PW0007
#~ PW0021
#~ PW1003
class "short" {
  priority: 1
}

tenant "vision" {
  namespaces = ["vision"]
  weigth     = 2
}

class "long" {
  priority = 2
  limits   = { run_time = 72h }
}
