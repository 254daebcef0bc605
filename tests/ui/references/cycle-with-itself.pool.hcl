#~ PW1012
locals {
  wide = local.wide + 1
}
