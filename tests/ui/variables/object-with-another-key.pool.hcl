#~ PW2006
variable "size" {
  type    = object({ gpus = number, hosts = optional(number, 1) })
  default = { gpus = 8, host = 2 }
}
