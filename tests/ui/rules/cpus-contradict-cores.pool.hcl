#~ PW4002
pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 100, sockets = 2, cores = 56, threads = 2, memory = "2000GiB" }
  hosts       = "more[01-04]"
}
