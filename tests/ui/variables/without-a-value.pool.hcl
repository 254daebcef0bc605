#~ PW1020
variable "priority" { type = number }

class "short" { priority = var.priority }
