fabric "ib-a" {
  kind = "infiniband"
  rate = "400Gbps"

  switch "a1" { hosts = "a[01-04]" }
}

fabric "ib-b" {
  kind = "infiniband"
  rate = "200Gbps"

  switch "b1" { hosts = "b[01-02]" }
}

pool "a" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  fabric      = fabric.ib-a
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "a[01-04]"
}

pool "b" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  fabric      = fabric.ib-b
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "b[01-02]"
}

queue "fast" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.a]
}

queue "slow" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.b]
}
