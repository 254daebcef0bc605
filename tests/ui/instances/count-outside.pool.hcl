#~ PW1011
class "short" {
  for_each = { a = 1 }
  priority = count.index
}
