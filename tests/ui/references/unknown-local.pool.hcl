#~ PW1010
class "short" { priority = local.prority }

locals { priority = 10 }
