#~ PW2005
class "short" {
  for_each = { a = 1, b = -2, c = -3, d = -4, e = -5, f = -6 }
  priority = each.value
}
