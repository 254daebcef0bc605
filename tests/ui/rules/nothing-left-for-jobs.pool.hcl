#~ PW4002
pool "more" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "other" }
  node        = { gpus = 8, cpus = 8, memory = "1TiB", reserve_cpus = 8 }
  nodes       = 4
}
