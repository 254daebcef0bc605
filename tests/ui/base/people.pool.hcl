tenant "nlp" {
  namespaces = ["nlp"]
  accounts   = ["nlp"]
}

class "batch" { priority = 100 }

queue "batch" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
