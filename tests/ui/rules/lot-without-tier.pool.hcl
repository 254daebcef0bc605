#~ PW1007
pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }

  lot "owned" {
    tier  = tier.owned
    hosts = "more[01-04]"
  }
  lot "other" { hosts = "more[05-08]" }
}
