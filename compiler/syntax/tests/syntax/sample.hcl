# One of each.
pool "a" {
  tier   = tier.spot
  nodes  = 8
  price  = "$2.80/gpu/h"
  labels = { team = "é", "b c" = null, (var.x) = true }
  list   = [for k, v in var.m : "${k}-${v.name}" if v != null && v.n >= 1.5e3]
  map    = { for k, v in var.m : k => v... }
  text   = <<-EOT
    hello ${upper(var.name)}
      %{ if var.x ~}
      yes $${not}
      %{ else }
      no
      %{ endif ~}
  EOT

  lot "main" {
    nodes = var.scale > 1 ? -(2 + 3) * 4 % 5 : max([1, 2]...)
    all   = pool.*.lots[*]["x"].0
  }
  empty {}
  one { line = "a\tb\u00e9" } // comment
}
/* and
   more */
fleet { name = "x" }
