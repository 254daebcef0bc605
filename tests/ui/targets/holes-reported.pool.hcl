#~ PW5211
fabric "ndr" {
  kind  = "infiniband"
  rate  = "400Gbps"
  holes = "report"

  switch "su1" { hosts = "more[001-003]" }
}

pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  fabric      = fabric.ndr
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "more[001-004]"
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.more]
}
