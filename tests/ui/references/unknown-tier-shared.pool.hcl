#~ PW1010
queue "train" {
  class   = class.train
  tenants = [tenant.vision, tenant.nlp]
  pools   = [pool.hpc]
}
