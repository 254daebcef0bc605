#~ PW9001
pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  nodes          = 2
  reservation    = "cr-0123456789abcdef0"
  refresh        = "new-nodes"
}
