#~ PW4007
target "aws" "west" {
  directory = "live/west"
  zones     = { usw2-az1 = "subnet-7" }
}
