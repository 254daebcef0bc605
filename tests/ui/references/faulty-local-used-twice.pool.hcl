#~ PW3007
locals { share = 8 / 0 }

class "a" { priority = local.share }

class "b" { priority = local.share + 1 }
