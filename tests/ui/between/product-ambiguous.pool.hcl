#~ PW4154
target "kubernetes" "edu" {
  directory    = "live/edu"
  kueue        = { version = "0.17" }
  gpu_operator = { mig = "none" }
}

pool "v100" {
  accelerator = accelerator.nvidia-v100-32gb
  tier        = tier.owned
  cluster     = target.kubernetes.edu
  node        = { gpus = 8, cpus = 96, memory = "1TiB" }
  nodes       = 4
}

pool "l40s" {
  accelerator = accelerator.nvidia-l40s
  tier        = tier.owned
  cluster     = target.kubernetes.edu
  node        = { gpus = 8, cpus = 96, memory = "1TiB" }
  nodes       = 4
}
