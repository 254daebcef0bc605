#~ PW4022
pool "nobody" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  reservation    = "cr-0aaa"

  lot "a" { nodes = 2 }
  lot "b" { nodes = 2 }
}

pool "two-sizes" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  reservation    = "cr-0bbb"

  lot "a" {
    nodes             = 2
    reservation_nodes = 4
  }
  lot "b" {
    nodes             = 2
    reservation_nodes = 5
  }
}

pool "too-many" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones             = ["use1-az2"]
  reservation       = "cr-0ccc"
  reservation_nodes = 3

  lot "a" { nodes = 2 }
  lot "b" { nodes = 2 }
}
