#~ PW1022
variable "hold" {
  type    = string
  default = "sometimes"

  validation {
    condition     = contains(["none", "hold"], var.hold)
    error_message = "`none` or `hold`, not `${var.hold}`"
  }
}

locals { hold = var.hold }

queue "held" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
  hold    = local.hold
}
