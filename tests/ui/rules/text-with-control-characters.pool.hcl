#~ PW4030
tenant "vision" {
  accounts    = ["vision"]
  groups      = ["vision\nNodeName=x", "a,b", "two words", "ml-team"]
  description = "first line\nsecond line"
  labels      = { owner = "a\u0007b", "poolwright.dev/fleet" = "other" }
}

queue "seen" {
  class   = class.batch
  tenants = [tenant.vision]
  pools   = [pool.hpc]
}
