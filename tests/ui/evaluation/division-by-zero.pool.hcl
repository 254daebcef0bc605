#~ PW3007
locals { hosts = 0 }

class "short" { priority = 100 / local.hosts }
