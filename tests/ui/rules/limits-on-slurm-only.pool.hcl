# One class on both kinds of clusters: its limits hold on one of them.
class "both" {
  priority = 10
  limits   = { gpus = "1..8", run_time = "24h" }
}

queue "here" {
  class   = class.both
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}

queue "there" {
  class   = class.both
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}

# Only on Kubernetes: nothing holds them yet.
class "elsewhere" {
  priority = 20
  limits   = { gpus = "1..8", nodes = "1..2", run_time = "24h" }
}

queue "elsewhere" {
  class   = class.elsewhere
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
