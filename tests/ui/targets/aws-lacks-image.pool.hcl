#~ PW5301
target "aws" "west" {
  directory        = "live/west"
  region           = "us-east-1"
  instance_profile = "eks-node"
  user_data        = "node.tera"
  zones            = { use1-az6 = "subnet-7" }
}

pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.west
  instance_types = ["p4d.24xlarge"]
  nodes          = 2
}
