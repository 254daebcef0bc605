fleet { name = "acme" }

target "kubernetes" "hub" {
  directory = "live/hub"
  kueue     = { version = "0.17" }
}

target "kubernetes" "frankfurt" {
  directory = "live/frankfurt"
  region    = "eu-fra"
  kueue     = { version = "0.17" }
}

target "kubernetes" "paris" {
  directory = "live/paris"
  region    = "eu-par"
  kueue     = { version = "0.17" }
}

target "kubernetes" "ashburn" {
  directory = "live/ashburn"
  region    = "us-iad"
  kueue     = { version = "0.17" }
}

tier "owned" {
  kind      = "owned"
  ownership = { price = "$1.20/gpu/h" }
}

locals {
  l40s = { gpus = 8, cpus = 128, memory = "1TiB" }
}

pool "frankfurt" {
  accelerator = accelerator.nvidia-l40s
  tier        = tier.owned
  cluster     = target.kubernetes.frankfurt
  select      = { "nvidia.com/gpu.product" = "NVIDIA-L40S" }
  node        = local.l40s
  nodes       = 2
}

pool "paris" {
  accelerator = accelerator.nvidia-l40s
  tier        = tier.owned
  cluster     = target.kubernetes.paris
  select      = { "nvidia.com/gpu.product" = "NVIDIA-L40S" }
  node        = local.l40s
  nodes       = 3
}

pool "ashburn" {
  accelerator = accelerator.nvidia-l40s
  tier        = tier.owned
  cluster     = target.kubernetes.ashburn
  select      = { "nvidia.com/gpu.product" = "NVIDIA-L40S" }
  node        = local.l40s
  nodes       = 6
}

class "serve" {
  kind     = "inference"
  priority = 500
}

tenant "web" { namespaces = ["web"] }
