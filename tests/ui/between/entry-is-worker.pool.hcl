#~ PW4105
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
  entry   = target.kubernetes.eks
}
