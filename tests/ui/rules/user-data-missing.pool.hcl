#~ PW4007
target "aws" "west" {
  directory = "live/west"
  region    = "us-west-2"
  user_data = "templates/west.tera"
  zones     = { usw2-az1 = "subnet-7" }
}
