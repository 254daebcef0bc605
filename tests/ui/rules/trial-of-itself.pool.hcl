#~ PW4016
#~ PW4038
route "ladder" {
  step "one" { pools = [pool.hpc] }
}

queue "same" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.ladder
  trial   = { route = route.ladder, share = "10%" }
}

queue "all" {
  class       = class.batch
  tenants     = [tenant.nlp]
  pools       = [pool.hpc]
  trial       = { route = route.ladder, share = "0%" }
  maintenance = { active = true, tenants = [] }
}
