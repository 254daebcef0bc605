#~ PW5014
target "slurm" "plain" {
  directory  = "live/plain"
  version    = "24.11"
  accounting = true
  preempt_by = "tier"
}

pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.plain
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "more[001-004]"
}

class "calm" {
  priority = 200
  preempts = "nobody"
}

queue "a" {
  class   = class.calm
  tenants = [tenant.nlp]
  pools   = [pool.more]
}

queue "b" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.more]
}
