#~ PW4008
pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["us-east-1a"]
  nodes          = 2
}
