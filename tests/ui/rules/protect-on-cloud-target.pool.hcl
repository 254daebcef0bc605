#~ PW4032
# A cloud's target makes no object of its own.
target "aws" "second" {
  directory        = "live/second"
  region           = "us-east-1"
  image            = "ami-0123456789abcdef0"
  instance_profile = "eks-node"
  user_data        = "node.tera"
  zones            = { use1-az2 = "subnet-2" }
  protect          = true
}
