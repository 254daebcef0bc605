#~ PW2011
queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc, tier.spot]
}
