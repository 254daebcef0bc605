#~ PW3006
locals {
  sizes = [1, 8]
  size  = local.sizes[2]
}
