#~ PW1010
#~ PW2001
pool "one" {
  accelerator = accelerator.H100
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { pool = "one" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

pool "two" {
  accelerator = accelerator.l4
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { pool = "two" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

pool "three" {
  accelerator = accelerator.nvidia-a100
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { pool = "three" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

pool "four" {
  accelerator = "H100"
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { pool = "four" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

pool "five" {
  accelerator = "nvidia-l4"
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { pool = "five" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}
