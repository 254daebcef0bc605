#~ PW1015
#~ alone
fleet {
  name             = "acme"
  required_version = ">= 99.0"
}
