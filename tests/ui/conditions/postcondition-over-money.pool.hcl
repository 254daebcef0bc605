#~ PW8021
pool "more" {
  for_each    = { small = "b[001-002]", large = "c[001-400]" }
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, sockets = 2, cores = 56, threads = 2, memory = "2000GiB" }
  hosts       = each.value

  postcondition {
    condition     = self.cost.monthly.ceiling <= "$1000000/month"
    error_message = "${self.name} costs ${self.cost.monthly.ceiling}"
  }
}
