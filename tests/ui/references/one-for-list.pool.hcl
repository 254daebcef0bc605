#~ PW2001
queue "train" {
  class   = class.batch
  tenants = tenant.nlp
  pools   = [pool.hpc]
}
