#~ PW9001
target "slurm" "burst" {
  directory  = "live/burst"
  version    = "24.11"
  autodetect = "nvidia"
  accounting = true
  owns       = ["nodes", "partitions"]
  power      = { resume = "/opt/acme/resume", suspend = "/opt/acme/suspend" }
}

pool "burst" {
  tier           = tier.on-demand
  cluster        = target.slurm.burst
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  nodes          = "0..4"
  idle_after     = "10m"
}

queue "burst" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.burst]
}
