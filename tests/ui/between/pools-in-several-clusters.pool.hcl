#~ PW4103
queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.gaudi, pool.cloud]
}
