#~ PW4039
pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "h[1-4]"
  foreign     = { node = "cluster-autoscaler", nodse = "x", name = "y", taints = "" }
}

class "left" {
  foreign = { priority = "site" }
}

queue "quota" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
  shared  = true
  quotas  = [{ pool = pool.gaudi, gpus = 16, foreign = { lent = "controller" } }]
}
