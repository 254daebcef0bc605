#~ PW2002
locals { wait = duration("15 minutes") }
