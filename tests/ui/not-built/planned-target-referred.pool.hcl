#~ PW9001
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
}
