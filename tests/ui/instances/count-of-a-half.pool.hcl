#~ PW1017
class "short" {
  count    = 1.5
  priority = 1
}
