#~ PW5308
pool "more" {
  tier           = tier.owned
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = 2
}
