# This queue tries the AWS spot pool first; without resources in 15 minutes it falls back to the on-demand pool at
# Alibaba. The module finds the order by price.
module "cost-first" {
  source    = "../"
  name      = "cost-first"
  pools     = [pool.aliyun-a100, pool.aws-a100-spot]
  patience  = "15m"
  max_price = "$3.10/gpu/h"
}

queue "training" {
  class   = class.interruptible
  tenants = [tenant.nlp]
  route   = module.cost-first.route
  entry   = target.kubernetes.onprem
}
