output "gpus" {
  type  = map(number)
  value = { for name, pool in fleet.pools : name => pool.gpus.max }
}

output "where" {
  type  = object({ pool = pool, note = optional(string, "none") })
  value = { pool = pool.cloud }
}

output "nothing" {
  type  = string
  value = null
}
