tier "spot" {
  kind         = "spot"
  interruption = { notice = "2m", mean_time = "10h" }
}

tier "on-demand" { kind = "on-demand" }

tier "owned" {
  kind      = "owned"
  ownership = { price = "$2.00/gpu/h" }
}

pool "cloud" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  nodes          = "0..4"
  idle_after     = "10m"
}

pool "gaudi" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "gaudi" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

pool "hpc" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, sockets = 2, cores = 56, threads = 2, memory = "2000GiB" }
  hosts       = "gpu[001-016]"
}

price_book "list" { source = "shipped" }
