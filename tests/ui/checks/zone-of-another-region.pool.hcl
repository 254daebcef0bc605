#~ PW4042
target "aws" "west" {
  directory        = "live/west"
  region           = "us-west-2"
  image            = "ami-0123456789abcdef0"
  instance_profile = "eks-node"
  user_data        = "node.tera"
  zones            = { usw2-az1 = "subnet-6", use1-az2 = "subnet-7", us-west-2a = "subnet-8" }
}
