#~ PW3005
locals {
  none = null
  size = local.none.large
}
