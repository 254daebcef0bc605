#~ PW1017
class "short" {
  for_each = toset([1, 2])
  priority = 1
}
