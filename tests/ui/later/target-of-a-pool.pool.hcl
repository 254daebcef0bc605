#~ PW9001
#~ PW4405
# One warning for the target, none for the pool that it makes the nodes of.
target "gcp" "iowa" {
  directory = "live/iowa"
  region    = "us-central1"
  zones     = { us-central1-a = "subnet-a" }
}

pool "more" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.gcp.iowa
  instance_types = ["a3-highgpu-8g"]
  nodes          = 2
  disk           = { root = "200GiB" }
}
