#~ PW4134
pool "far" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "far" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
  stores      = ["s3://acme"]
}

class "needy" {
  priority = 10
  stores   = ["s3://acme", "vast://scratch"]
}

queue "more" {
  class   = class.needy
  tenants = [tenant.nlp]
  pools   = [pool.far]
}

pool "near" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "near" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
  stores      = ["vast://scratch", "s3://acme"]
}

queue "near" {
  class   = class.needy
  tenants = [tenant.nlp]
  pools   = [pool.near]
}
