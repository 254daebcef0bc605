#~ PW4144
#~ PW8021
# Prices and sizes of pools can be used by what hangs on them.
tenant "vision" {
  accounts = ["vision"]
  budget   = 1.5 * price(pool.hpc) * pool.hpc.gpus.max
  quotas   = [{ pool = pool.hpc, gpus = pool.hpc.gpus.max / 2 }]

  postcondition {
    condition     = self.budget != "$384/h" || self.quotas[0].gpus != 64
    error_message = "the budget is ${self.budget} and the quota ${self.quotas[0].gpus}"
  }
}
