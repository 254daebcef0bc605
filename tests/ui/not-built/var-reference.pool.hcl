#~ PW9001
class "short" { priority = var.priority }
