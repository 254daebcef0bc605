#~ PW4007
target "aws" "more" {
  directory      = "live/more"
  region         = "us-east-1"
  resource_group = "acme"
  zones          = { use1-az2 = "subnet-2" }
}
