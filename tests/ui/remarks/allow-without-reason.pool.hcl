#~ PW0097
queue "again" {
  class   = class.batch
  tenants = [tenant.nlp, tenant.nlp] # poolwright:allow(PW4033)
  pools   = [pool.gaudi]
}
