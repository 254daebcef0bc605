#~ PW3009
locals { odd = duration("15m") + money("$5/h") }
