#~ PW2005
class "short" {
  priority = 1
  limits   = { gpus = "32..1" }
}
