#~ PW1010
pool "more" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.onprem
  select      = { accelerator-type = "other" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}
