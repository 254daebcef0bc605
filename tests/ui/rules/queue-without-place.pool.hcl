#~ PW4005
queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
}
