#~ PW0101
module "team" {
  source = "./modules/teams"
  name   = "speech"
}
