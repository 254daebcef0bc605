#~ PW9001
route "ladder" {
  step "one" {
    pools     = [pool.hpc]
    max_price = price(pool.hpc)
  }
}
