#~ PW4140
tenant "big" {
  namespaces = ["big"]
  quotas     = [{ pool = pool.gaudi, memory = "99999999999999999999PiB" }]
}

queue "big" {
  class   = class.batch
  tenants = [tenant.big]
  pools   = [pool.gaudi]
}
