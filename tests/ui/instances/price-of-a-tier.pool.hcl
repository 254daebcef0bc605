#~ PW1027
route "ladder" {
  step "one" {
    pools     = [pool.hpc]
    max_price = price(tier.owned)
  }
}
