#~ PW4120
#~ alone
fleet {
  name   = "acme"
  prices = [price_book.contract, price_book.list]
}

price_book "list" { source = "shipped" }

price_book "contract" {
  prices = [
    { provider = "alibaba", instance_type = "ecs.gn7-c13g1.26xlarge", on_demand = "$2.80/gpu/h" },
  ]
}

target "kubernetes" "onprem" {
  directory = "live/onprem"
  region    = "eu-fra"
  kueue     = { version = "0.17" }
}

target "kubernetes" "eks" {
  directory          = "live/eks"
  kueue              = { version = "0.17" }
  cluster_autoscaler = { version = "1.33" }
}

target "kubernetes" "ack" {
  directory          = "live/ack"
  kueue              = { version = "0.17" }
  cluster_autoscaler = { version = "1.33", provisioning_requests = true }
}

target "aws" "use1" {
  directory        = "live/use1"
  region           = "us-east-1"
  image            = "ami-0123456789abcdef0"
  instance_profile = "eks-node"
  zones            = { use1-az2 = "subnet-2" }
}

target "alibaba" "hangzhou" {
  directory  = "live/hangzhou"
  region     = "cn-hangzhou"
  cluster_id = "c0123456789abcdef"
  zones      = { cn-hangzhou-i = "vsw-1" }
}

tier "on-demand" { kind = "on-demand" }

pool "aws-a100" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  nodes          = "0..4"
  idle_after     = "10m"
}

pool "aliyun-a100" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.ack
  provision      = target.alibaba.hangzhou
  instance_types = ["ecs.gn7-c13g1.26xlarge"]
  nodes          = "0..4"
  idle_after     = "10m"
}

tenant "nlp" { namespaces = ["nlp"] }

class "batch" { priority = 100 }

route "cost-optimized" {
  step "aws-spot" {
    pools = [pool.aws-a100]
    for   = "15m"
  }
  step "aliyun" { pools = [pool.aliyun-a100] }
}

queue "cost-optimized" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.cost-optimized
  entry   = target.kubernetes.onprem
}
