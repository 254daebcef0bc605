#~ PW5101
target "kubernetes" "east" {
  directory = "live/east"
  kueue     = { version = "0.9" }
}

pool "more" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.east
  select      = { accelerator-type = "other" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.more]
}
