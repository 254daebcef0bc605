#~ PW9001
route "other" {
  step "one" { pools = [pool.hpc] }
}

tenant "ops" { accounts = ["ops"] }

queue "more" {
  class       = class.batch
  tenants     = [tenant.nlp]
  pools       = [pool.hpc]
  trial       = { route = route.other, share = "10%" }
  maintenance = { active = false, tenants = [tenant.ops] }
}
