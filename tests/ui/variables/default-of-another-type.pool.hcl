#~ PW2001
variable "priority" {
  type    = number
  default = "high"
}
