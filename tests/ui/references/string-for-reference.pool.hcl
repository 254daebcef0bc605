#~ PW2001
queue "train" {
  class   = "batch"
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
