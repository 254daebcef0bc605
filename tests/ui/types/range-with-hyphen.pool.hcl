#~ PW2002
class "short" {
  priority = 1
  limits   = { gpus = "1-32" }
}
