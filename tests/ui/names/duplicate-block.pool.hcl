#~ PW1004
class "short" { priority = 1 }

class "short" { priority = 2 }
