#~ PW4139
pool "far" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "far" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
  throughput  = { pretrain = 1.5 }
}

class "needy" {
  priority = 10
  work     = "pretrian"
}

queue "more" {
  class   = class.needy
  tenants = [tenant.nlp]
  pools   = [pool.far]
}
