#~ PW9001
# Two lots of one reservation: what their most exceeds it by is taken from the last.
pool "shared" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones             = ["use1-az2"]
  idle_after        = "10m"
  reservation       = "cr-0ccc"
  reservation_nodes = 6

  lot "a" { nodes = 4 }
  lot "b" { nodes = "0..4" }
}
