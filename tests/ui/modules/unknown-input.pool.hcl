#~ PW1019
module "team" {
  source = "./modules/team"
  name   = "speech"
  pool   = pool.hpc
  gpu    = 8
}
