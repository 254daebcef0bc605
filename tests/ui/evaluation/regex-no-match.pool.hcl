#~ PW3003
locals {
  zone   = regex("^[a-z]+-[0-9]$", "eu-west-1")
  broken = regexall("(", "a")
}
