#~ PW4012
#~ alone
fleet {
  name     = "acme"
  currency = "dollar"
}
