#~ PW4147
#~ PW9001
pool "seats" {
  cluster = target.kubernetes.onprem
  tokens  = { "licence/seat" = 20 }
}

queue "from-nodes" {
  class   = class.batch
  tenants = [tenant.nlp]
  tokens  = [pool.gaudi]
}

queue "on-tokens" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.gaudi, pool.seats]
}
