#~ PW4009
pool "more" {
  tier    = tier.owned
  cluster = target.slurm.hpc
  node    = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts   = "more[01-04]"
}
