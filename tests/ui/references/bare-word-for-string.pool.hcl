#~ PW1011
class "short" {
  priority = 1
  kind     = interactive
}
