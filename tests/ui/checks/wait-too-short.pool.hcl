#~ PW4166
class "train" {
  priority = 200
  limits   = { wait = "10m" }
}
route "ladder" {
  step "cloud" {
    pools = [pool.cloud]
    for   = "30m"
  }
  step "own" { pools = [pool.gaudi] }
}
queue "train" {
  class   = class.train
  tenants = [tenant.nlp]
  route   = route.ladder
  entry   = target.kubernetes.gate
}

target "kubernetes" "gate" {
  directory = "live/gate"
  kueue     = { version = "0.17" }
}
