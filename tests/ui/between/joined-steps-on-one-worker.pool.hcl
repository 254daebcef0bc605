#~ PW5001
pool "gaudi-old" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "gaudi-old" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

target "kubernetes" "gate" {
  directory = "live/gate"
  kueue     = { version = "0.17" }
}

route "ladder" {
  step "new" {
    pools = [pool.gaudi]
    for   = "0s"
  }
  step "old" {
    pools = [pool.gaudi-old]
    for   = "15m"
  }
  step "cloud" { pools = [pool.cloud] }
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.ladder
  entry   = target.kubernetes.gate
}
