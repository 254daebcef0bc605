#~ alone
# A price from a file is known while blocks are made.
fleet {
  name   = "priced"
  prices = [price_book.ours]
}

price_book "ours" { source = "priced.csv" }

tier "on-demand" { kind = "on-demand" }

target "kubernetes" "eks" {
  directory          = "live/eks"
  kueue              = { version = "0.17" }
  cluster_autoscaler = { version = "1.33" }
}

target "aws" "use1" {
  directory        = "live/use1"
  region           = "us-east-1"
  image            = "ami-0123456789abcdef0"
  instance_profile = "eks-node"
  user_data        = "node.tera"
  zones            = { use1-az2 = "subnet-2" }
}

pool "a" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  nodes          = "0..1"
  idle_after     = "10m"
}

# $40/node/h over 8 GPUs are $5/gpu/h: dear, so that one node is enough.
locals { dear = price(pool.a) > "$4/gpu/h" }

pool "b" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  nodes          = local.dear ? "0..1" : "0..4"
  idle_after     = "10m"
}

check "one node is enough" {
  assert {
    condition     = pool.b.nodes.max == 1
    error_message = "${pool.b.nodes.max} nodes"
  }
}
