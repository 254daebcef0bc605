#~ PW1001
queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]

  tenant "vision" { namespaces = ["vision"] }
}
