#~ PW4127
class "huge" {
  priority = 1
  limits   = { gpus = "1..64" }
}

queue "train" {
  class   = class.huge
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
