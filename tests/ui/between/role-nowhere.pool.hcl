#~ PW4138
class "needy" {
  priority = 10
  roles    = { head = { tiers = ["reserved"] }, worker = { tiers = ["owned"] } }
}

queue "more" {
  class   = class.needy
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
