#~ PW4018
#~ PW4405
price_book "contract" {
  prices = [
    { provider = "aws", instance_type = "p4d.24xlarge", on_demand = "$20/node/h" },
  ]
}

target "aws" "west" {
  directory        = "live/west"
  region           = "us-west-2"
  image            = "ami-0123456789abcdef0"
  instance_profile = "eks-node"
  user_data        = "node.tera"
  zones            = { usw2-az1 = "subnet-7" }
}

pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.west
  instance_types = ["p4d.24xlarge"]
  nodes          = 2
}
