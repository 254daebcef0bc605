#~ PW4144
tenant "vision" {
  namespaces = ["vision"]
  quotas     = [{ pool = pool.gaudi, gpus = 8 }]
}
