#~ PW4102
route "ladder" {
  step "one" {
    pools = [pool.hpc]
    for   = "15m"
  }
  step "two" { pools = [pool.cloud] }
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.ladder
}
