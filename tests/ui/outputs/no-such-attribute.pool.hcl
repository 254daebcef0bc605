#~ PW1013
output "gpus" { value = { for name, pool in fleet.pools : name => pool.gpu } }
