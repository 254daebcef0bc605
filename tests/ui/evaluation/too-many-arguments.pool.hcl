#~ PW3002
locals { name = upper("nlp", "vision") }
