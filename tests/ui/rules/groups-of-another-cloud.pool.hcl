#~ PW4007
target "aws" "more" {
  directory = "live/more"
  region    = "us-east-1"
  groups    = "gke"
  zones     = { use1-az2 = "subnet-2" }
}

target "nebius" "north" {
  directory = "live/nebius"
  region    = "eu-north1"
  groups    = "asg"
  zones     = { eu-north1-a = "subnet-a" }
}
