#~ PW3004
class "short" {
  for_each = { a = 10 }
  priority = each.value-1
}
