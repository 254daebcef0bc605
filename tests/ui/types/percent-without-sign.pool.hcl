#~ PW2001
pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  nodes          = 2
  utilisation    = 0.6
}
