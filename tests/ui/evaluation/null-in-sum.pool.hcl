#~ PW3011
class "short" { priority = 1 + null }
