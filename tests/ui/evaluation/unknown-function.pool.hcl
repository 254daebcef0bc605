#~ PW3001
locals { name = uper("nlp") }
