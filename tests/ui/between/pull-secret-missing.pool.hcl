#~ alone
#~ PW4137
fleet {
  name               = "teaching"
  private_registries = ["registry.uni.example"]
}

target "kubernetes" "edu" {
  directory = "live/edu"
  kueue     = { version = "0.17" }
}

tier "site" {
  kind      = "owned"
  ownership = { price = "$0.80/gpu/h" }
}

pool "gaudi" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.site
  cluster     = target.kubernetes.edu
  select      = { accelerator-type = "gaudi" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

tenant "with" {
  namespaces  = ["with"]
  pull_secret = "registry-uni"
}

tenant "without" { namespaces = ["without"] }

class "lab" {
  priority = 100
  images   = { habana = "registry.uni.example/lab/gaudi:1.22" }
}

queue "lab" {
  class   = class.lab
  tenants = [tenant.with, tenant.without]
  pools   = [pool.gaudi]
}
