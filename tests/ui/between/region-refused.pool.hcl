#~ PW4122
class "resident" {
  priority = 1
  regions  = ["us-*"]
}

queue "train" {
  class   = class.resident
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
