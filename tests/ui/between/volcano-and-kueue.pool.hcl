#~ PW4152
#~ PW9001
target "kubernetes" "batch" {
  directory = "live/batch"
  volcano   = { version = "1.12" }
}

pool "batch" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.batch
  select      = { accelerator-type = "gaudi" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

route "both" {
  step "one" {
    pools = [pool.batch]
    for   = "10m"
  }
  step "two" { pools = [pool.gaudi] }
}

queue "both" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.both
  entry   = target.kubernetes.eks
}
