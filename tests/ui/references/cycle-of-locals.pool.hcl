#~ PW1012
locals {
  a = local.b
  b = local.c
  c = local.a
}
