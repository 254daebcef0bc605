#~ PW4140
tenant "vision" {
  namespaces = ["vision"]
  quotas     = [{ pool = pool.gaudi, gpus = 24 }]
}

tenant "speech" {
  namespaces = ["speech"]
  quotas     = [{ pool = pool.gaudi, gpus = 16 }]
}

queue "train" {
  class   = class.batch
  tenants = [tenant.vision, tenant.speech]
  pools   = [pool.gaudi]
}
