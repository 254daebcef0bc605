#~ PW4030
tenant "vision" {
  namespaces = ["vision"]
  labels     = { rack = "row 7, rack 3" }
}

queue "train" {
  class   = class.batch
  tenants = [tenant.vision]
  pools   = [pool.gaudi]
}

# No Kubernetes object has it.
pool "racked" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  labels      = { rack = "row 7, rack 3" }
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "racked[001-004]"
}
