#~ PW4002
pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge", "p5.48xlarge"]
  nodes          = 2
}
