#~ PW2001
class "short" {
  for_each = { a = 1, b = 2 }
  priority = each.key
}
