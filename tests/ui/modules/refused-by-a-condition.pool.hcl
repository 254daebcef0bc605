#~ PW1022
module "team" {
  source   = "./modules/team"
  for_each = { speech = 64, robots = 12 }
  name     = each.key
  gpus     = each.value
  pool     = pool.hpc
}
