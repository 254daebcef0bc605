#~ PW2011
variable "where" {
  type    = pool
  default = tier.spot
}
