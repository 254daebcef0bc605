#~ PW5210
target "slurm" "tiers" {
  directory  = "live/tiers"
  version    = "24.11"
  accounting = true
  preempt_by = "tier"
}
pool "tiers" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.tiers
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "tiers[1-4]"
}
class "young" {
  priority       = 20
  when_preempted = { exempt = "10m" }
}
queue "train" {
  class   = class.young
  tenants = [tenant.nlp]
  pools   = [pool.tiers]
}
