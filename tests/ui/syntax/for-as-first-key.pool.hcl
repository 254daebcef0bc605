#~ PW0032
#~ alone
# After a brace `for` begins an expression; as a later key it is a word like any other.
fleet { name = "acme" }
locals {
  step  = { for = "15m", until = "admitted" }
  later = { until = "admitted", for = "15m" }
  minus = (-
    1)
}
