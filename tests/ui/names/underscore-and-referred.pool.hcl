#~ PW1006
tenant "big_vision" { namespaces = ["vision"] }

queue "night" {
  class   = class.batch
  tenants = [tenant.big-vision]
  pools   = [pool.hpc]
}
