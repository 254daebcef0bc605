fleet { name = "acme" }

target "kubernetes" "eks" {
  directory          = "live/eks"
  kueue              = { version = "0.17" }
  cluster_autoscaler = { version = "1.33", provisioning_requests = true }
}

target "aws" "use1" {
  directory        = "live/aws-use1"
  region           = "us-east-1"
  image            = "ami-0123456789abcdef0"
  instance_profile = "acme-eks-node"
  user_data        = "eks-node.tera"
  zones            = { use1-az2 = "subnet-0aaa2222" }
}

tier "on-demand" { kind = "on-demand" }

# Tokens a second of one GPU in the team's own pre-training run, in thousands.
pool "a100" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  nodes          = "0..8"
  idle_after     = "10m"
  throughput     = { pretrain = 3 }
}

pool "h100" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p5.48xlarge"]
  nodes          = "0..4"
  idle_after     = "10m"
  throughput     = { pretrain = 7 }
}

class "pretrain" {
  kind     = "training"
  priority = 200
  work     = "pretrain"
}

tenant "nlp" {
  namespaces = ["nlp"]

  quotas = [
    { pool = pool.h100, gpus = 32 },
    { pool = pool.a100, gpus = 64 },
  ]
}

price_book "list" { source = "shipped" }
