#~ PW5015
#~ PW5010
target "slurm" "plain" {
  directory  = "live/plain"
  version    = "24.11"
  preempt_by = "qos"
}

pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.plain
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "more[001-004]"
}

queue "b" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.more]
}
