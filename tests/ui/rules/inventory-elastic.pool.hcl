#~ PW4003
target "inventory" "lambda" {
  directory = "live/lambda"
  region    = "us-east-1"
  provider  = "lambda"
}

pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  provision   = target.inventory.lambda
  select      = { "example.com/gpu" = "h100" }
  node        = { gpus = 8, cpus = 128, memory = "1TiB" }
  nodes       = "0..4"
}

pool "fixed" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  provision   = target.inventory.lambda
  select      = { "example.com/gpu" = "fixed" }
  node        = { gpus = 8, cpus = 128, memory = "1TiB" }
  nodes       = 4
}
