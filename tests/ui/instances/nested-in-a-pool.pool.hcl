#~ PW4008
pool "lots" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  idle_after     = "10m"
  nodes          = "0..1"

  lot "in" {
    for_each = { a = "use1-az2", b = "use1-az9" }
    zones    = [each.value]
  }
}
