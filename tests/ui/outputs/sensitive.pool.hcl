#~ PW1024
# The neighbour that says so is fine.
variable "key" {
  type      = string
  default   = "planted-secret-for-tests"
  sensitive = true
}

output "shown" { value = { key = var.key } }

output "hidden" {
  value     = var.key
  sensitive = true
}
