#~ PW1021
variable "priority" {
  type    = "number"
  default = 1
}
