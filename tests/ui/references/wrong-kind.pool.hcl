#~ PW2011
queue "train" {
  class   = tenant.nlp
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
