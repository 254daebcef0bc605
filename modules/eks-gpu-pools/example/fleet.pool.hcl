fleet { name = "acme" }

target "kubernetes" "eks" {
  directory          = "live/eks"
  kueue              = { version = "0.17" }
  cluster_autoscaler = { version = "1.33", provisioning_requests = true }
}

target "aws" "use1" {
  directory        = "live/aws-use1"
  account          = "111122223333"
  region           = "us-east-1"
  image            = "ami-0123456789abcdef0"
  instance_profile = "acme-eks-node"
  user_data        = "eks-node.tera"
  zones            = { use1-az2 = "subnet-0aaa2222", use1-az4 = "subnet-0aaa4444" }
}

class "batch" {
  priority   = 100
  checkpoint = { every = "20m", write = "60s", restore = "5m" }
}

tenant "nlp" {
  namespaces = ["nlp"]
  quotas     = [{ pool = module.gpu.pools["a100-spot"], gpus = 64, borrow = 32 }]
}

price_book "list" { source = "shipped" }
