variable "name" {
  type        = string
  description = "name of the tenant; its namespace and its account are called the same unless they are given"
}

variable "budget" {
  type        = money
  nullable    = false
  description = "the most that the tenant may spend, money per time such as `$50000/month`"
}

variable "quotas" {
  type = list(object({
    pool   = pool
    gpus   = number
    borrow = optional(number, 0)
    lend   = optional(number)
  }))

  description = "what of each pool is the tenant's: GPUs guaranteed, GPUs that it may borrow above them, GPUs that others may use while they are idle (null: all)"

  validation {
    condition     = alltrue([for quota in var.quotas : quota.gpus >= 0 && quota.borrow >= 0])
    error_message = "GPUs are counted from 0"
  }
  validation {
    condition     = length(distinct([for quota in var.quotas : quota.pool.address])) == length(var.quotas)
    error_message = "one quota a pool: ${join(", ", [for quota in var.quotas : quota.pool.name])}"
  }
}

variable "namespaces" {
  type        = list(string)
  default     = null
  description = "Kubernetes namespaces; null: one of the tenant's name"
}

variable "accounts" {
  type        = list(string)
  default     = null
  description = "Slurm accounts; null: one of the tenant's name"
}

variable "groups" {
  type        = list(string)
  default     = []
  nullable    = false
  description = "groups whose members may submit"
}

variable "weight" {
  type        = number
  default     = 1
  nullable    = false
  description = "fair share against other tenants"

  validation {
    condition     = var.weight > 0
    error_message = "a weight of ${var.weight} would never be served: more than 0 is wanted"
  }
}

variable "within_budget" {
  type        = bool
  default     = true
  nullable    = false
  description = "whether the dearest use that the quotas allow must be paid by the budget; an error otherwise"
}
