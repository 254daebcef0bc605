#~ PW1010
queue "short" {
  class   = class.batch["a"]
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
