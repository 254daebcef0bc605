#~ PW1017
class "short" {
  for_each = { a = 1 }
  count    = 2
  priority = 1
}
