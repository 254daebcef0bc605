#~ PW1008
#~ alone
class "short" { priority = 1 }
