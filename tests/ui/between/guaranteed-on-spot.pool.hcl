#~ PW4133
#~ PW4125
pool "spot" {
  tier           = tier.spot
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = "0..4"
}

class "must-run" {
  priority   = 10
  guaranteed = true
}

queue "on-spot" {
  class   = class.must-run
  tenants = [tenant.nlp]
  pools   = [pool.spot]
}

queue "on-owned" {
  class   = class.must-run
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
