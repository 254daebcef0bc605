#~ PW4161
pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p6-b200.48xlarge"]
  zones          = ["use1-az4"]
  nodes          = "0..4"
  idle_after     = "10m"
}
