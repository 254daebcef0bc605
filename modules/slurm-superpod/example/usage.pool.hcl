# One scalable unit: 32 nodes, 256 GPUs. Half of it is guaranteed to the language team.
module "superpod" {
  source    = "../"
  directory = "live/superpod"
  version   = "22.05"
  region    = "eu-fra"
  price     = "$2.10/gpu/h"
  tenants   = [tenant.language, tenant.vision]
}

tenant "language" {
  accounts = ["language"]
  budget   = "$250000/month"
  quotas   = [{ pool = module.superpod.pool, gpus = 128, borrow = 32 }]
}

tenant "vision" {
  accounts = ["vision"]
  budget   = "$150000/month"
  quotas   = [{ pool = module.superpod.pool, gpus = 64, borrow = 16 }]
}
