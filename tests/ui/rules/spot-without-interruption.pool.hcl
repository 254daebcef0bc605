#~ PW4004
tier "cheap" { kind = "spot" }
