#~ PW5208
queue "a" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
  default = true
}

queue "b" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
  default = true
}
