#~ PW4030
pool "more" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "other", "acme.dev/rack" = "row 7, rack 3" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.more]
}
