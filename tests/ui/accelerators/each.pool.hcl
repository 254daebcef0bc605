locals {
  cards = {
    "acme-npu" = { memory = "32GiB", resource = "acme.dev/npu" }
    "acme-xpu" = { memory = "64GiB", resource = "acme.dev/xpu" }
  }
}

accelerator "own" {
  for_each = local.cards
  vendor   = "intel"
  memory   = each.value.memory
  resource = each.value.resource
}

pool "more" {
  accelerator = accelerator.own["acme-npu"]
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "more[01-04]"
}
