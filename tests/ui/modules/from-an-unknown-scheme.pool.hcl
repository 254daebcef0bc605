#~ PW0100
module "team" {
  source = "git::ext::sh -c whoami"
  name   = "speech"
  pool   = pool.hpc
}
