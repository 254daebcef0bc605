#~ PW1017
class "short" {
  for_each = null
  priority = 1
}
