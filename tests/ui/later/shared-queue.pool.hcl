#~ PW9001
queue "slack" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
  shared  = true
  quotas  = [{ pool = pool.gaudi, gpus = 16, lend = 16, foreign = { lend = "mlbatch-controller" } }]
}
