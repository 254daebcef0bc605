#~ PW9001
# `cluster-autoscaler` is who writes the size of an elastic lot there anyway.
pool "usual" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  nodes          = "0..2"
  idle_after     = "10m"
  size_owner     = "cluster-autoscaler"
}

pool "other" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = "0..2"
  idle_after     = "10m"
  size_owner     = "external"
}
