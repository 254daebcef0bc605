#~ PW5222
class "for-ever" {
  priority       = 50
  limits         = { run_time = "36500d" }
  when_preempted = { grace = "50000d", exempt = "30000d" }
}

tenant "big" {
  accounts = ["big"]
  weight   = 999999.9999
}

queue "for-ever" {
  class   = class.for-ever
  tenants = [tenant.big]
  pools   = [pool.hpc]
}
