#~ PW2004
class "short" { priority = 1e1000000000 }
