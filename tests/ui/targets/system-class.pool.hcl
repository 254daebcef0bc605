#~ PW5108
class "system-node" { priority = 1 }

queue "train" {
  class   = class.system-node
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
