#~ PW1100
output "names" {
  type  = list(string)
  value = { for name, pool in fleet.pools : name => pool.gpus.max }
}
