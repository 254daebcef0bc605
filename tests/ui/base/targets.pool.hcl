fleet {
  name   = "acme"
  prices = [price_book.list]
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

target "slurm" "hpc" {
  directory  = "live/hpc"
  version    = "22.05"
  region     = "eu-fra"
  accounting = true
}

target "aws" "use1" {
  directory        = "live/use1"
  region           = "us-east-1"
  image            = "ami-0123456789abcdef0"
  instance_profile = "eks-node"
  user_data        = "node.tera"
  zones            = { use1-az2 = "subnet-2", use1-az4 = "subnet-4" }
}

target "alibaba" "hangzhou" {
  directory  = "live/hangzhou"
  region     = "cn-hangzhou"
  cluster_id = "c0123456789abcdef"
  zones      = { cn-hangzhou-i = "vsw-1" }
}
