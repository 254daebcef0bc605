#~ PW2002
pool "one" {
  accelerator = accelerator.nvidia-l4
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { pool = "one" }
  node        = { gpus = 8, cpus = 160, memory = "2000Gi" }
  nodes       = 4
}

pool "two" {
  accelerator = accelerator.nvidia-l4
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { pool = "two" }
  node        = { gpus = 8, cpus = 160, memory = "512G" }
  nodes       = 4
}

pool "three" {
  accelerator = accelerator.nvidia-l4
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { pool = "three" }
  node        = { gpus = 8, cpus = 160, memory = "512" }
  nodes       = 4
}

pool "four" {
  accelerator = accelerator.nvidia-l4
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { pool = "four" }
  node        = { gpus = 8, cpus = 160, memory = "512 GiB" }
  nodes       = 4
}

fabric "eth" {
  kind = "ethernet"
  rate = "400G"
}

class "urgent" {
  priority = 10
  limits   = { run_time = "1h30min" }
}
