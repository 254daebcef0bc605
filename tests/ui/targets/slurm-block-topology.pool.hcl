#~ PW5202
#~ PW5212
fabric "nvl" {
  kind = "nvlink"

  switch "b1" { hosts = "more[001-008]" }
  switch "b2" { hosts = "more[009-016]" }
}

pool "more" {
  accelerator = accelerator.nvidia-gb200-186gb
  tier        = tier.owned
  cluster     = target.slurm.hpc
  fabric      = fabric.nvl
  node        = { gpus = 4, cpus = 144, memory = "2000GiB" }
  hosts       = "more[001-016]"
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.more]
}
