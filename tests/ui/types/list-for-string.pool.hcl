#~ PW2001
class "short" {
  priority = 1
  kind     = ["batch"]
}
