#~ PW4031
tier "own" {
  kind = "owned"

  ownership = { cost = "-$1/node", months = 48, power = "6kW", pue = 0.5, tariff = "$0.12/kWh", salvage = "-5%" }
}

tier "brittle" {
  kind         = "spot"
  interruption = { notice = "2m", mean_time = "0s" }
}

tenant "vision" {
  accounts = ["vision"]
  weight   = 10000000
  quotas   = [{ pool = pool.hpc, gpus = "-1%", cpus = -4 }]
}

class "endless" {
  priority = 1
  limits   = { run_time = "0s" }
}
