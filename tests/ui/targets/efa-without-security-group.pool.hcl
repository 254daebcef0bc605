#~ PW5317
fabric "efa" {
  kind  = "efa"
  rails = 4
}

pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  fabric         = fabric.efa
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = 2
}
