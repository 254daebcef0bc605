#~ PW4036
queue "more" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
  quotas  = [{ pool = pool.gaudi, gpus = 16 }]
}
