#~ PW1024
variable "many" {
  default   = 2
  sensitive = true
}

class "short" {
  count    = var.many
  priority = 1
}
