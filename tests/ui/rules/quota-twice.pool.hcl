#~ PW4010
tenant "vision" {
  accounts = ["vision"]
  quotas = [
    { pool = pool.hpc, gpus = 16 },
    { pool = pool.cloud, gpus = 8 },
    { pool = pool.hpc, gpus = 32 },
  ]
}
