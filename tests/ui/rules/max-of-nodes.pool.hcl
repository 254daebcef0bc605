#~ PW4003
pool "fixed-groups" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  max            = { gpus = 32 }
}

target "aws" "serve" {
  directory = "live/serve"
  region    = "us-east-1"
  groups    = "karpenter"
  zones     = { use1-az2 = "subnet-2" }
}

pool "both" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.serve
  instance_types = ["p5.4xlarge", "p5.48xlarge"]
  max            = { gpus = 32 }
  nodes          = "0..4"
}

pool "no-gpus" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.serve
  instance_types = ["p5.4xlarge", "p5.48xlarge"]
  max            = { cpus = 768 }
}
