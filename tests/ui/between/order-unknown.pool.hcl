#~ PW4409
pool "far" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "far" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
  throughput  = { pretrain = 1.5 }
}

class "pretrain" {
  priority = 10
  work     = "pretrain"
}

route "by-work" {
  candidates = [pool.far, pool.gaudi]
  order      = "cost-per-work"
  strict     = false
  for        = "0s"
  until      = "ready"
}

queue "by-work" {
  class   = class.pretrain
  tenants = [tenant.nlp]
  route   = route.by-work
}

queue "no-work" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.no-work
}

route "no-work" {
  candidates = [pool.far]
  order      = "fastest"
}
