#~ PW4022
pool "reserved" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]

  lot "zones" {
    nodes       = 2
    zones       = ["use1-az2", "use1-az4"]
    reservation = "cr-0aaa"
  }
  lot "spot" {
    tier        = tier.spot
    nodes       = 2
    zones       = ["use1-az2"]
    reservation = "cr-0bbb"
  }
  lot "group" {
    nodes       = 2
    zones       = ["use1-az2"]
    placement   = "cluster"
    reservation = "cr-0ccc"
  }
  lot "size" {
    nodes             = 2
    zones             = ["use1-az2"]
    reservation_nodes = 4
  }
}

pool "hosts" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "h[1-4]"
  reservation = "cr-0ddd"
}
