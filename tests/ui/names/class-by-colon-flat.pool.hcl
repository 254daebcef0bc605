#~ PW1002
tenant "vision" {
  namespaces = ["vision"]
}

class: train
priority: 100

queue "night" {
  class   = class.train
  tenants = [tenant.vision]
  pools   = [pool.hpc]
}
