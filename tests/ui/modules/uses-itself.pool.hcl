#~ PW0102
module "team" { source = "./modules/loop" }
