#~ PW4032
# Slurm's nodes have no labels and taints, nobody makes these, and Slurm's backfill overtakes.
pool "desk" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "desk[01-02]"
  taints      = ["desk=yes:NoSchedule"]
  select      = { place = "desk" }
  node_labels = { place = "desk" }
  idle_after  = "10m"
}

queue "desk" {
  class      = class.batch
  tenants    = [tenant.nlp]
  pools      = [pool.desk]
  discipline = "strict"
}
