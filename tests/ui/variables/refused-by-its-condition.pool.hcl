#~ PW1022
variable "every" {
  type    = duration
  default = "3m"

  validation {
    condition     = var.every >= "5m"
    error_message = "at least five minutes, not ${var.every}"
  }
}
