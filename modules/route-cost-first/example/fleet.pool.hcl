fleet {
  name   = "acme"
  prices = [price_book.contracts, price_book.list]
}

target "kubernetes" "onprem" {
  directory = "live/onprem"
  region    = "eu-fra"
  kueue     = { version = "0.17" }
}

target "kubernetes" "eks" {
  directory          = "live/eks"
  kueue              = { version = "0.17" }
  cluster_autoscaler = { version = "1.33", provisioning_requests = true }
}

target "kubernetes" "ack" {
  directory          = "live/ack"
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
  zones            = { use1-az2 = "subnet-0aaa2222" }
}

target "alibaba" "hangzhou" {
  directory  = "live/alibaba-hangzhou"
  account    = "1234567890123456"
  region     = "cn-hangzhou"
  cluster_id = "c0123456789abcdef"
  zones      = { cn-hangzhou-i = "vsw-0bbb1111" }
}

tier "spot" {
  kind         = "spot"
  interruption = { notice = "2m", mean_time = "10h" }
}

tier "on-demand" { kind = "on-demand" }

pool "aws-a100-spot" {
  tier           = tier.spot
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  nodes          = "0..16"
  utilisation    = "60%"
  idle_after     = "10m"
}

pool "aliyun-a100" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.ack
  provision      = target.alibaba.hangzhou
  instance_types = ["ecs.gn7-c13g1.26xlarge"]
  nodes          = "0..8"
  utilisation    = "25%"
  idle_after     = "10m"
}

class "interruptible" {
  priority   = 100
  tiers      = ["spot", "on-demand"]
  limits     = { gpus = "1..32", run_time = "72h" }
  checkpoint = { every = "20m", write = "60s", restore = "5m" }
}

tenant "nlp" {
  namespaces = ["nlp"]

  quotas = [
    { pool = pool.aws-a100-spot, gpus = 64, borrow = 32 },
    { pool = pool.aliyun-a100, gpus = 32, borrow = 16 },
  ]
}

price_book "list" { source = "shipped" }

price_book "contracts" {
  prices = [
    { provider = "alibaba", region = "cn-hangzhou", instance_type = "ecs.gn7-c13g1.26xlarge", on_demand = "$2.80/gpu/h", date = "2026-11-01", source = "framework contract" },
  ]
}
