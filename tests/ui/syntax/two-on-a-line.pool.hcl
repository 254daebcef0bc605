#~ PW0023
class "short" { priority = 1 kind = "batch" }
