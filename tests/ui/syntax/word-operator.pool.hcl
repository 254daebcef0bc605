#~ PW0033
locals {
  wide = 1 == 1 and 2 == 2
}
