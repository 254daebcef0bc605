#~ PW0026
tenant "vision" { namespaces = ["vision"] }

class: train
  priority: 100
  kind: training
}

class urgent:
  priority: 200

class: "later" {
  priority = 1
}

queue "night" {
  class   = class.later
  tenants = [tenant.vision]
  pools   = [pool.hpc]
}
