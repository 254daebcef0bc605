#~ PW2005
tenant "vision" {
  accounts = ["vision"]
  quotas   = [{ pool = pool.hpc, gpus = 0.5 }]
}
