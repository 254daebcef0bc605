fleet { name = "lab" }

target "slurm" "hpc" {
  directory  = "live/hpc"
  version    = "22.05"
  region     = "eu-fra"
  accounting = true
}

tier "owned" {
  kind      = "owned"
  ownership = { price = "$2.00/gpu/h" }
}

pool "h100" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, sockets = 2, cores = 56, threads = 2, memory = "2000GiB" }
  hosts       = "gpu[001-008]"
}

class "train" { priority = 100 }
