#~ PW4405
#~ PW5406
fabric "ib" {
  kind = "infiniband"
  rate = "400Gbps"

  level "rack" { label = "acme.dev/rack" }
}

pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.alibaba.hangzhou
  fabric         = fabric.ib
  instance_types = ["ecs.gn7-c13g1.26xlarge"]
  nodes          = 2
}
