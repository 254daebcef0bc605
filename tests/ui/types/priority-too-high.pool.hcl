#~ PW2005
class "short" { priority = 70000 }
