#~ PW4146
#~ PW9001
tenant "everyone" { accounts = ["*"] }

tenant "guests" { accounts = ["guests"] }

queue "some" {
  class   = class.batch
  tenants = [tenant.nlp]
  deny    = [tenant.guests]
  pools   = [pool.hpc]
}

queue "both" {
  class   = class.batch
  tenants = [tenant.everyone, tenant.guests]
  deny    = [tenant.guests]
  pools   = [pool.hpc]
}

queue "on-kubernetes" {
  class   = class.batch
  tenants = [tenant.everyone, tenant.nlp]
  deny    = [tenant.guests]
  pools   = [pool.gaudi]
}
