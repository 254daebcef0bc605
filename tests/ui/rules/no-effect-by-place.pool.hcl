#~ PW4032
# Attributes that do nothing where they stand.
target "alibaba" "second" {
  name       = "shanghai"
  router     = false
  directory  = "live/second"
  region     = "cn-shanghai"
  cluster_id = "c0123456789abcdef"
  zones      = { cn-shanghai-b = "vsw-1" }
}

target "aws" "second" {
  directory = "live/aws-second"
  region    = "us-east-1"
  profile   = "fleet"
  zones     = { use1-az2 = "subnet-2" }
}

target "slurm" "second" {
  directory  = "live/slurm-second"
  version    = "24.11"
  region     = "eu-fra"
  accounting = true
  labels     = { site = "second" }
}

fabric "ib" {
  kind     = "infiniband"
  rate     = "400Gbps"
  resource = "rdma/hca_shared_devices_a"
  per_node = 8
}

pool "second" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.second
  fabric      = fabric.ib
  node        = { gpus = 8, sockets = 2, cores = 56, threads = 2, memory = "2000GiB" }
  hosts       = "second[001-004]"
  utilisation = "60%"
  labels      = { owner = "research" }
}

queue "second" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.second]
  labels  = { owner = "research" }
}
