#~ PW1004
pool "gaudi" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "other" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}
