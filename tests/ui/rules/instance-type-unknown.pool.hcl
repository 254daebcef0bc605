#~ PW4602
pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlrage"]
  nodes          = 2
}
