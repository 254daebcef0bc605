#~ PW4110
queue "night" {
  name    = "batch"
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
