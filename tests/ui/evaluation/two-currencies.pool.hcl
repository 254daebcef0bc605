#~ PW3010
locals { odd = money("$2/gpu/h") + money("€1/gpu/h") }
