#~ PW4002
pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  instance_types = ["p4d.24xlarge"]
  nodes          = 2
}
