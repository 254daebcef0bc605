#~ PW9001
pool "seats" {
  cluster = target.kubernetes.onprem
  tokens  = { "licence/seat" = 20 }
}

queue "seats" {
  class   = class.batch
  tenants = [tenant.nlp]
  tokens  = [pool.seats]
}
