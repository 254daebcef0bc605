#~ PW4136
pool "hpc-a100" {
  accelerator = accelerator.nvidia-a100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "a[01-16]"
}

class "same" {
  priority   = 10
  same_model = true
}

queue "two-models" {
  class   = class.same
  tenants = [tenant.nlp]
  pools   = [pool.hpc, pool.hpc-a100]
}

queue "one-model" {
  class   = class.same
  tenants = [tenant.nlp]
  pools   = [pool.hpc-a100]
}
