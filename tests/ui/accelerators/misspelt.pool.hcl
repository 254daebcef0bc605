#~ PW1010
accelerator "acme-npu" {
  vendor = "intel"
  memory = "32GiB"
}

pool "more" {
  accelerator = accelerator.acme-npv
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "more[01-04]"
}
