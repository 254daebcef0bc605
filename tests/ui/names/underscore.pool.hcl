#~ PW1006
class "short_jobs" { priority = 1 }
