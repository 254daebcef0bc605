#~ PW4005
route "ladder" {
  step "one" { pools = [pool.hpc] }
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
  route   = route.ladder
}
