#~ PW1010
queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.gaudy]
}
