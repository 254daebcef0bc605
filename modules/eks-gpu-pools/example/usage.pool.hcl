# A100 nodes on spot, and a few that are bought on demand when there are none.
module "gpu" {
  source         = "../"
  cluster        = target.kubernetes.eks
  account        = target.aws.use1
  spot_mean_time = "10h"

  pools = {
    a100-spot = { instance_types = ["p4d.24xlarge"], nodes = "0..12", market = "spot", zones = ["use1-az2"], max_price = "$16/node/h", utilisation = "50%" }
    a100      = { instance_types = ["p4d.24xlarge"], nodes = "0..4", zones = ["use1-az2"] }
  }
}

queue "batch" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [module.gpu.pools["a100-spot"], module.gpu.pools["a100"]]
}
