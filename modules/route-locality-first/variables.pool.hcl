variable "name" {
  type        = string
  description = "name of the route on real systems and in plans"
}

variable "pools" {
  type        = list(pool)
  description = "where jobs may run; the module orders them, ties stay in this order"

  validation {
    condition     = length(var.pools) >= 2
    error_message = "a ladder needs two pools at least, and ${length(var.pools)} is given: give the queue `pools` instead of a route"
  }
}

variable "near" {
  type        = list(pattern)
  description = "regions, nearest first; `*` stands for any text"

  validation {
    condition     = length(var.near) > 0
    error_message = "name the regions, nearest first, such as [\"eu-fra\", \"eu-*\"]"
  }
}

variable "patience" {
  type        = duration
  default     = "15m"
  nullable    = false
  description = "how long a job waits on each step before the next one opens as well"

  validation {
    condition     = var.patience <= "24h"
    error_message = "${var.patience} on every step: a job that waits more than a day belongs into a queue of its own"
  }
}

variable "until" {
  type        = string
  default     = "admitted"
  nullable    = false
  description = "the event that ends the waiting: `quota`, `admitted` or `ready`"

  validation {
    condition     = contains(["quota", "admitted", "ready"], var.until)
    error_message = "`quota`, `admitted` or `ready`, not `${var.until}`"
  }
}

variable "on" {
  type        = list(string)
  default     = ["no-quota", "no-capacity"]
  nullable    = false
  description = "reasons that let a job leave a step: `no-quota`, `no-capacity`, `price-above`, `lost`"
}

variable "max_price" {
  type        = money
  default     = null
  description = "what no step may cost more than, per GPU-hour or node-hour; null: no cap"
}

variable "back" {
  type        = string
  default     = "when-idle"
  nullable    = false
  description = "what becomes of earlier steps: `never`, `when-idle` or `prefer`"

  validation {
    condition     = contains(["never", "when-idle", "prefer"], var.back)
    error_message = "`never`, `when-idle` or `prefer`, not `${var.back}`"
  }
}
