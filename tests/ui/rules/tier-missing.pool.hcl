#~ PW1007
pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "more[01-04]"
}
