#~ PW1011
queue "train" {
  class   = batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
