#~ PW1004
route "ladder" {
  step "one" {
    pools = [pool.cloud]
    for   = "5m"
  }
  step "one" { pools = [pool.hpc] }
}
