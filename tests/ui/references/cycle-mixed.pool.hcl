#~ PW1012
locals {
  base = class.a.priority
}

class "a" { priority = local.base }
