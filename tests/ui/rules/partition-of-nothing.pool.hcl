#~ PW4021
pool "cpu" {
  tier      = tier.owned
  cluster   = target.slurm.hpc
  node      = { cpus = 64, memory = "256GiB" }
  hosts     = "cpu[1-4]"
  partition = "1g.10gb"
}
