module "team" {
  source   = "./modules/team"
  for_each = { speech = 64, robots = 32 }
  name     = each.key
  gpus     = each.value
  pool     = pool.hpc
}

queue "teams" {
  class   = class.batch
  tenants = [for team in values(module.team) : team.tenant]
  pools   = [pool.hpc]
}
