#~ PW4111
pool "more" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}
