#~ PW1006
class "short--dev" { priority = 1 }
