#~ PW0100
module "team" { source = "modules/team" }
