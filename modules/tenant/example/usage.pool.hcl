# 32 GPUs are theirs, 16 more when they are idle, and never more than the budget can pay.
module "nlp" {
  source = "../"
  name   = "nlp"
  budget = "$80000/month"
  quotas = [{ pool = pool.h100, gpus = 32, borrow = 16 }]
}

module "vision" {
  source   = "../"
  name     = "vision"
  budget   = "$50000/month"
  accounts = ["vision-lab"]
  weight   = 2
  quotas   = [{ pool = pool.h100, gpus = 16, lend = 8 }]
}

queue "train" {
  class   = class.train
  tenants = [module.nlp.tenant, module.vision.tenant]
  pools   = [pool.h100]
}
