#~ PW1013
module "team" {
  source = "./modules/team"
  name   = "speech"
  pool   = pool.hpc
}

queue "team" {
  class   = class.batch
  tenants = [module.team.tenants]
  pools   = [pool.hpc]
}
