#~ PW4104
pool "cloud-big" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.onprem
  provision      = target.aws.use1
  instance_types = ["p5.48xlarge"]
  zones          = ["use1-az4"]
  nodes          = 2
  idle_after     = "10m"
}

route "ladder" {
  step "one" {
    pools = [pool.gaudi]
    for   = "15m"
    on    = ["no-quota"]
  }
  step "two" { pools = [pool.cloud] }
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.ladder
}
