#~ PW9001
target "kubernetes" "batch" {
  directory = "live/batch"
  volcano   = { version = "1.12" }
}

pool "batch" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.batch
  select      = { accelerator-type = "gaudi" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

queue "on-volcano" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.batch]
}
