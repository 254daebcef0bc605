#~ PW1007
module "team" { name = "speech" }
