#~ PW4119
class "precious" {
  priority       = 1
  when_preempted = { action = "never" }
}

queue "a" {
  class   = class.precious
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}

queue "b" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
