#~ PW4135
#~ PW4153
pool "far" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "far" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
  driver      = "535.183.01"
}

class "needy" {
  priority = 10
  cuda     = "13.0"
}

queue "more" {
  class   = class.needy
  tenants = [tenant.nlp]
  pools   = [pool.far]
}

class "older" {
  priority = 10
  cuda     = "12.8"
}

class "oldest" {
  priority = 10
  cuda     = "10.2"
}

queue "older" {
  class   = class.older
  allow   = [class.oldest]
  tenants = [tenant.nlp]
  pools   = [pool.far]
}
