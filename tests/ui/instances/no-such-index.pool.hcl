#~ PW3006
class "short" {
  count    = 2
  priority = count.index
}

queue "short" {
  class   = class.short[2]
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
