#~ PW1010
variable "priority" { default = 1 }

class "short" { priority = var.priorty }
