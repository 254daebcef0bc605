#~ PW2012
route "ladder" {
  step "one" {
    pools     = [pool.hpc]
    max_price = "$3/month"
  }
}
