#~ PW4162
target "aws" "efa" {
  directory        = "live/efa"
  region           = "us-east-1"
  image            = "ami-0123456789abcdef0"
  instance_profile = "eks-node"
  security_groups  = ["sg-1"]
  user_data        = "node.tera"
  zones            = { use1-az2 = "subnet-2" }
}
fabric "efa" {
  kind  = "efa"
  rails = 4
  rate  = "400Gbps"
}
pool "joined" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.efa
  fabric         = fabric.efa
  instance_types = ["p4d.24xlarge"]
  nodes          = 4
}
