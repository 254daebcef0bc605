#~ PW1020
module "team" {
  source = "./modules/team"
  pool   = pool.hpc
}
