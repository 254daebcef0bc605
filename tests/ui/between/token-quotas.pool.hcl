#~ PW4155
#~ PW9001
pool "seats" {
  cluster = target.kubernetes.onprem
  tokens  = { "licence/seat" = 20 }
}

tenant "a" {
  namespaces = ["a"]
  quotas     = [{ pool = pool.seats, tokens = { "licence/seat" = 15 } }]
}

tenant "b" {
  namespaces = ["b"]
  quotas     = [{ pool = pool.seats, tokens = { "licence/seat" = 6, "licence/seats" = 1 } }]
}
