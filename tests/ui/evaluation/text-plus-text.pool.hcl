#~ PW3008
locals { wait = "15m" + "5m" }
