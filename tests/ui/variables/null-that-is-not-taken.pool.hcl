#~ PW2013
variable "every" {
  type     = duration
  default  = null
  nullable = false
}
