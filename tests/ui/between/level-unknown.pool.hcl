#~ PW4123
class "wide" {
  priority = 1
  topology = { prefer = "rack" }
}

queue "train" {
  class   = class.wide
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
