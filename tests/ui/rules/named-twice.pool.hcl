#~ PW4033
queue "again" {
  class   = class.batch
  allow   = [class.batch]
  tenants = [tenant.nlp, tenant.nlp]
  pools   = [pool.gaudi, pool.gaudi]
}
