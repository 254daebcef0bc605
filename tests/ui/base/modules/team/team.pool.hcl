variable "name" { type = string }

variable "gpus" {
  type    = number
  default = 8

  validation {
    condition     = var.gpus % 8 == 0
    error_message = "whole hosts of 8 GPUs, not ${var.gpus}"
  }
}

variable "pool" { type = pool }

tenant "team" {
  name       = var.name
  namespaces = [var.name]
  accounts   = [var.name]
}

output "tenant" { value = tenant.team }
output "gpus" {
  type  = number
  value = var.gpus
}
