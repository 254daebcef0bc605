variable "name" {
  type        = string
  default     = "superpod"
  nullable    = false
  description = "name of the cluster: Slurm's `ClusterName`"
}

variable "directory" {
  type        = string
  description = "folder that Slurm's files are written to, below the fleet's, such as `live/superpod`"
}

variable "version" {
  type        = version
  description = "version of Slurm, such as `24.11`"
}

variable "region" {
  type        = string
  default     = null
  description = "where it stands, for prices and residency; null: not said"
}

variable "units" {
  type        = number
  default     = 1
  nullable    = false
  description = "scalable units of 32 DGX H100 nodes each"

  validation {
    condition     = contains([1, 2, 3, 4], var.units)
    error_message = "1 to 4 scalable units under one layer of spines, not ${var.units}"
  }
}

variable "absent" {
  type        = number
  default     = 0
  nullable    = false
  description = "nodes that the last unit has fewer: where UFM's ports take the place of one, 1"

  validation {
    condition     = var.absent >= 0 && var.absent < 32 && floor(var.absent) == var.absent
    error_message = "a unit has 32 nodes, and ${var.absent} of them cannot be absent"
  }
}

variable "host" {
  type        = string
  default     = "dgx"
  nullable    = false
  description = "what names of nodes begin with: `dgx` gives `dgx-001` and so on"

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]*[a-z])?$", var.host))
    error_message = "`${var.host}` begins no name of a host: lower-case letters, digits and `-`, with a letter first and last"
  }
}

variable "price" {
  type        = money
  nullable    = false
  description = "what a GPU-hour costs within the house, such as `$2.10/gpu/h`"
}

variable "env" {
  type = object({
    interface = string
    hcas      = hosts
  })

  default     = null
  description = "what NCCL uses on each node: its socket interface, and the 8 adapters of the compute fabric without those of storage, such as `mlx5_[0-7]`; null: nothing is set"
}

variable "tenants" {
  type        = list(tenant)
  description = "who may submit"

  validation {
    condition     = length(var.tenants) > 0
    error_message = "name one tenant at least: nobody could submit"
  }
}

variable "run_time" {
  type        = duration
  default     = "72h"
  nullable    = false
  description = "the longest that a training job may run"
}
