variable "sizes" {
  type    = map(object({ gpus = number, share = optional(percent, "50%") }))
  default = { small = { gpus = 8 }, large = { gpus = 64, share = "100%" } }
}

variable "where" {
  type    = target
  default = target.slurm.hpc
}

class "sized" {
  for_each = var.sizes
  priority = each.value.gpus
}

queue "sized" {
  for_each = var.sizes
  class    = class.sized[each.key]
  tenants  = [tenant.nlp]
  pools    = [pool.hpc]
}
