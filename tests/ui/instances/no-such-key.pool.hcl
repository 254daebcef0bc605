#~ PW3006
class "short" {
  for_each = { a = 1, b = 2 }
  priority = each.value
}

queue "short" {
  class   = class.short["c"]
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
