#~ PW0103
module "team" {
  source = "git::https://git.example.com/modules.git//team?ref=v1"
  name   = "speech"
  pool   = pool.hpc
}
