#~ PW4004
tier "own" {
  kind = "owned"

  ownership = { price = "$2.00/gpu/h", cost = "$120000/node", months = 48 }
}
