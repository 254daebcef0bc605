# A Slurm cluster on scalable units of an InfiniBand SuperPOD: 32 DGX H100 a unit, 8 GPUs and 8 rails of 400 Gb/s each.
locals {
  per_unit = 32
  nodes    = var.units * local.per_unit - var.absent
  hosts    = { for unit in range(var.units) : "su${unit + 1}" => format("%s-[%03d-%03d]", var.host, unit * local.per_unit + 1, min((unit + 1) * local.per_unit, local.nodes)) }
}

target "slurm" "cluster" {
  name       = var.name
  directory  = var.directory
  version    = var.version
  region     = var.region
  accounting = true
}

tier "owned" {
  kind      = "owned"
  ownership = { price = var.price }
}

fabric "ndr" {
  kind  = "infiniband"
  rails = 8
  rate  = "400Gbps"

  level "spine" { blocking = 1 }
  level "unit" { nodes = local.per_unit }

  switch "spine" {
    switch "unit" {
      for_each = toset([for unit in range(var.units) : "su${unit + 1}"])
      name     = each.key
      hosts    = local.hosts[each.key]
    }
  }

  env = var.env
}

# DGX H100: two processors of 56 cores, 2 TB of memory.
pool "h100" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cost_tier   = "high-performance"
  cluster     = target.slurm.cluster
  fabric      = fabric.ndr
  node        = { gpus = 8, sockets = 2, cores = 56, threads = 2, memory = "2000GiB" }
  hosts       = format("%s-[001-%03d]", var.host, local.nodes)
}

class "train" {
  kind     = "training"
  priority = 100
  limits   = { run_time = var.run_time }
  topology = { prefer = "unit" }
}

class "debug" {
  kind     = "interactive"
  priority = 200
  preempts = "nobody"
  limits   = { gpus = "1..16", run_time = "1h" }
}

queue "train" {
  class   = class.train
  tenants = var.tenants
  pools   = [pool.h100]
  default = true
}

queue "debug" {
  class   = class.debug
  tenants = var.tenants
  pools   = [pool.h100]
}
