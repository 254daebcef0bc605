#~ PW0100
module "team" {
  source = "git::https://git.example.com/modules.git//team?ref=v1"
  ref    = "v2"
  name   = "speech"
  pool   = pool.hpc
}
