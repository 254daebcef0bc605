#~ PW1026
tenant "vision" {
  accounts = ["vision"]
  budget   = pool.hpc.cost.monthly.ceiling
}
