#~ PW9001
class "short" {
  for_each = toset(["a", "b"])
  priority = 1
}
