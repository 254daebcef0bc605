#~ PW4121
class "steady" {
  priority = 1
  tiers    = ["reserved", "on-demand"]
}

queue "train" {
  class   = class.steady
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
