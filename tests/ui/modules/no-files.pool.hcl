#~ PW0101
module "team" { source = "./modules/empty" }
