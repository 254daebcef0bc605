#~ PW0022
route "ladder" {
  step "one" {
    pools = [pool.hpc]
    for   = "15m"
  }
  step "two" {
    pools =
  }
}
