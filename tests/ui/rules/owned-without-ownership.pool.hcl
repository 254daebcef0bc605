#~ PW4004
tier "own" { kind = "owned" }
