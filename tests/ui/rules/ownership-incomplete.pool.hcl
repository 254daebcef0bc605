#~ PW4004
tier "own" {
  kind      = "owned"
  ownership = { cost = "$300000/node", months = 48 }
}
