#~ PW4131
pool "hpc-old" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "old[001-004]"
}

route "ladder" {
  return = "prefer"

  step "one" {
    pools = [pool.hpc]
    for   = "15m"
  }
  step "two" { pools = [pool.hpc-old] }
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.ladder
}
