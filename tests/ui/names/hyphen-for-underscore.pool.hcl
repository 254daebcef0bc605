#~ PW1003
pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance-types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  nodes          = 2
}
