#~ PW5115
pool "more" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "other" }
  node        = { gpus = 8, cpus = 160, memory = "1024TiB" }
  nodes       = 100000
}

tenant "vision" {
  namespaces = ["vision"]
  quotas     = [{ pool = pool.more, gpus = "100%" }]
}

queue "train" {
  class   = class.batch
  tenants = [tenant.vision]
  pools   = [pool.more]
}
