#~ PW4410
pool "paid" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = "0..4"
  idle_after     = "10m"
}
route "capped" {
  step "cloud" {
    pools     = [pool.paid]
    max_price = "$0.10/gpu/h"
  }
}
