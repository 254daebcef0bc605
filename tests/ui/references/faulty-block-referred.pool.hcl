#~ PW1003
tenant "vision" {
  namespaces = ["vision"]
  acounts    = ["vision"]
}

queue "train" {
  class   = class.batch
  tenants = [tenant.vision]
  pools   = [pool.hpc]
}
