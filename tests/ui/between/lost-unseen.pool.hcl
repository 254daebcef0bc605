#~ PW4130
pool "gaudi-old" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "gaudi-old" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

route "ladder" {
  step "one" {
    pools = [pool.gaudi]
    for   = "15m"
    on    = ["no-quota", "lost"]
  }
  step "two" { pools = [pool.gaudi-old] }
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.ladder
}
