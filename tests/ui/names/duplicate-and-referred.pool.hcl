#~ PW1004
tenant "vision" { namespaces = ["vision"] }
tenant "vision" { namespaces = ["speech"] }

queue "night" {
  class   = class.batch
  tenants = [tenant.vision, tenant.speech]
  pools   = [pool.hpc]
}
