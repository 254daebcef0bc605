# The H100 nodes first; who has waited 20 minutes may run on A100 nodes too.
module "performance-first" {
  source   = "../"
  name     = "performance-first"
  pools    = [pool.a100, pool.h100]
  patience = "20m"
}

queue "pretrain" {
  class   = class.pretrain
  tenants = [tenant.nlp]
  route   = module.performance-first.route
}
