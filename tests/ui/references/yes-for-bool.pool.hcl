#~ PW1011
queue "night" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
  default = yes
}

queue "day" {
  class   = batch
  tenants = [nlp]
  pools   = [hpc]
  default = maybe
}
