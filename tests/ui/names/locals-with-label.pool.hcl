#~ PW1005
locals "sizes" {
  wide = 8
}
