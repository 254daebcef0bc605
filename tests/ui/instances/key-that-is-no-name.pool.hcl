#~ PW1006
class "short" {
  for_each = { "Team A" = 1 }
  priority = each.value
}
