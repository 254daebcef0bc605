#~ PW9001
tenant "everyone" { accounts = ["*"] }

tenant "guests" { accounts = ["guests"] }

queue "all-but-guests" {
  class   = class.batch
  tenants = [tenant.everyone]
  deny    = [tenant.guests]
  pools   = [pool.hpc]
}
