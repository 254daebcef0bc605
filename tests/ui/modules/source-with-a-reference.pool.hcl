#~ PW0100
locals { where = "team" }

module "team" { source = "./modules/${local.where}" }
