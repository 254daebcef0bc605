#~ PW1004
fleet { name = "other" }
