#~ PW1010
queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.ladder
}
