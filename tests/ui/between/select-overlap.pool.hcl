#~ PW4112
pool "more" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { rack = "r7" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

queue "a" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.more]
}

queue "b" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
