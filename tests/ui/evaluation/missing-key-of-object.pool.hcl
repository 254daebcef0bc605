#~ PW3004
locals {
  sizes = { small = 1, large = 8 }
  size  = local.sizes.medium
}
