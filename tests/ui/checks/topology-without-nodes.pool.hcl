#~ PW4167
target "kubernetes" "tas" {
  directory          = "live/tas"
  kueue              = { version = "0.17" }
  cluster_autoscaler = { version = "1.33" }
}
fabric "racks" {
  kind = "ethernet"
  level "rack" { label = "topology.acme.dev/rack" }
}
pool "racked" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.tas
  provision      = target.aws.use1
  fabric         = fabric.racks
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = "0..4"
  idle_after     = "10m"
}
