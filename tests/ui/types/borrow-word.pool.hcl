#~ PW2001
tenant "vision" {
  accounts = ["vision"]
  quotas   = [{ pool = pool.hpc, gpus = 8, borrow = "everything" }]
}
