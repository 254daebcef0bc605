#~ PW4002
pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { cpus = 112, memory = "2000GiB" }
  hosts       = "more[01-04]"
}
