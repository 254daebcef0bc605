#~ PW2013
class "short" { priority = null }
