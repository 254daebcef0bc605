#~ PW9001
target "aws" "serve" {
  directory  = "live/serve"
  region     = "us-east-1"
  groups     = "karpenter"
  cluster_id = "serve"
  zones      = { use1-az2 = "subnet-2" }
}

target "kubernetes" "serve" {
  directory = "live/k-serve"
  kueue     = { version = "0.17" }
  karpenter = { version = "1.6" }
}

pool "serve" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.serve
  provision      = target.aws.serve
  instance_types = ["p5.4xlarge", "p5.48xlarge"]
  max            = { gpus = 32, cpus = 768 }
  idle_after     = "5m"
}
