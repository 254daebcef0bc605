#~ PW3001
locals { today = timestamp() }
