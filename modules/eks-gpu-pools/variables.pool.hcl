variable "cluster" {
  type        = target.kubernetes
  description = "the EKS cluster, whose nodes the pools are"
}

variable "account" {
  type        = target.aws
  description = "the account and region that nodes are bought in"
}

variable "pools" {
  type = map(object({
    instance_types = list(string)
    nodes          = range
    market         = optional(string, "on-demand")
    zones          = optional(list(string))
    cost_tier      = optional(string)
    max_price      = optional(money)
    utilisation    = optional(percent)
  }))

  description = "pools by name; `market` is `spot` or `on-demand`, `max_price` the bid of spot nodes, `utilisation` the average use of the elastic range, for expected costs"

  validation {
    condition     = length(var.pools) > 0
    error_message = "name one pool at least"
  }
  validation {
    condition     = alltrue([for pool in values(var.pools) : contains(["spot", "on-demand"], pool.market)])
    error_message = "`market` is `spot` or `on-demand`: ${join(", ", [for name, pool in var.pools : "${name} has `${pool.market}`" if !contains(["spot", "on-demand"], pool.market)])}"
  }
  validation {
    condition     = alltrue([for pool in values(var.pools) : pool.max_price == null || pool.market != "on-demand"])
    error_message = "only spot nodes are bid for: remove `max_price` of ${join(", ", [for name, pool in var.pools : name if pool.max_price != null && pool.market == "on-demand"])}"
  }
}

variable "fabric" {
  type        = fabric
  default     = null
  description = "the EFA fabric that joins the nodes; null: nothing links them"
}

variable "spot_mean_time" {
  type        = duration
  default     = null
  description = "average time between interruptions of one spot node, for expected costs; null: not known"
}

variable "idle_after" {
  type        = duration
  default     = "10m"
  nullable    = false
  description = "how long a node may be empty before it goes"

  validation {
    condition     = var.idle_after >= "1m"
    error_message = "${var.idle_after} is less than a node takes to start: 1m at least"
  }
}

variable "taint" {
  type        = taint
  default     = "nvidia.com/gpu=present:NoSchedule"
  description = "keeps pods without GPUs off the nodes; null: nothing does"
}
