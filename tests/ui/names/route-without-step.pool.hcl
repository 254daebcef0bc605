#~ PW1009
route "ladder" {
  strict = false
}
