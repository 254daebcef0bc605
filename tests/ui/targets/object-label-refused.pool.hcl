#~ PW5109
tenant "vision" {
  namespaces = ["vision"]
  labels     = { rack = "row 7, rack 3" }
}

queue "train" {
  class   = class.batch
  tenants = [tenant.vision]
  pools   = [pool.gaudi]
}
