#~ PW2011
module "team" {
  source = "./modules/team"
  name   = "speech"
  pool   = tier.spot
}
