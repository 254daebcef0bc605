#~ PW1011
class "short" { priority = each.value }
