#~ PW4149
#~ PW9001
route "on-kubernetes" {
  step "one" { pools = [pool.gaudi] }
}

queue "more" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
  trial   = { route = route.on-kubernetes, share = "10%" }
}
