#~ PW1017
class "short" {
  for_each = ["a", "b"]
  priority = 1
}
