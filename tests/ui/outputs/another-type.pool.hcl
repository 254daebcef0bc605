#~ PW2001
output "names" {
  type  = list(string)
  value = { for name, pool in fleet.pools : name => pool.gpus.max }
}
