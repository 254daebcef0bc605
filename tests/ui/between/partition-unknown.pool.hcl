#~ PW4150
#~ PW9001
target "kubernetes" "edu" {
  directory    = "live/edu"
  kueue        = { version = "0.17" }
  gpu_operator = { mig = "mixed" }
}

pool "slices" {
  accelerator = accelerator.nvidia-l40s
  partition   = "1g.5gb"
  tier        = tier.owned
  cluster     = target.kubernetes.edu
  node        = { gpus = 8, cpus = 96, memory = "1TiB" }
  nodes       = 4
}
