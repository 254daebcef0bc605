#~ PW4163
pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 32, memory = "400GiB" }
  hosts       = "more[1-4]"
}
