#~ PW1012
class "one" {
  for_each = class.two
  name     = "one-${each.key}"
  priority = 1
}

class "two" {
  for_each = class.one
  name     = "two-${each.key}"
  priority = 1
}
