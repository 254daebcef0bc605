#~ PW1002
priority = 100
