#~ PW4168
tenant "vision" {
  namespaces = ["vision"]
  quotas     = [{ pool = pool.gaudi, gpus = 12 }]
}
class "whole" {
  priority = 200
  limits   = { gpus = "8..16" }
}
queue "train" {
  class   = class.whole
  tenants = [tenant.vision]
  pools   = [pool.gaudi]
}
