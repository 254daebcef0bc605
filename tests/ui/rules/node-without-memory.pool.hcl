#~ PW4002
pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112 }
  hosts       = "more[01-04]"
}
