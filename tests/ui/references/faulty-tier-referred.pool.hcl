#~ PW2008
tier "cheap" { kind = "spott" }

pool "more" {
  tier           = tier.cheap
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  nodes          = 2
  max_price      = "$1.00/gpu/h"
}
