# Frankfurt first, then any other European site, then the rest: 10 minutes each.
module "locality-first" {
  source   = "../"
  name     = "locality-first"
  pools    = [pool.ashburn, pool.paris, pool.frankfurt]
  near     = ["eu-fra", "eu-*"]
  patience = "10m"
}

queue "serve" {
  class   = class.serve
  tenants = [tenant.web]
  route   = module.locality-first.route
  entry   = target.kubernetes.hub
}
