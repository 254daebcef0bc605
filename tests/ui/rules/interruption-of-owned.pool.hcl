#~ PW4004
tier "own" {
  kind         = "owned"
  ownership    = { price = "$1.20/gpu/h" }
  interruption = { notice = "2m" }
}
