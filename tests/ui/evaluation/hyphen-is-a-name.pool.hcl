#~ PW1011
locals { less = [for size in [1, 2] : size-1] }
