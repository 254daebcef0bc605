#~ PW1004
locals { wide = 8 }
locals { wide = 16 }
