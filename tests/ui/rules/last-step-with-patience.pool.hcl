#~ PW4006
route "ladder" {
  step "one" {
    pools = [pool.cloud]
    for   = "15m"
  }
}
