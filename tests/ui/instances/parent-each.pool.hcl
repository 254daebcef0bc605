#~ PW3004
pool "lots" {
  for_each       = { one = ["use1-az2"] }
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  idle_after     = "10m"
  nodes          = "0..1"

  lot "in" {
    for_each    = toset(each.value)
    zones       = [each.key]
    description = "of ${each.parent.key}, not ${each.parents.key}"
  }
}
