# More of the small fleet in tests/ui/base, for examples of pages that need a second cluster or interruptible capacity.

target "kubernetes" "gate" {
  directory = "live/gate"
  kueue     = { version = "0.17" }
}

target "slurm" "far" {
  directory  = "live/far"
  version    = "24.11"
  accounting = true
}

pool "spot" {
  tier           = tier.spot
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = "0..4"
}

pool "gaudi-old" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "gaudi-old" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

pool "hpc-old" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "old[001-004]"
}

pool "far" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.far
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "far[001-004]"
}

pool "small" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.eks
  select      = { accelerator-type = "small" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 1
}

target "kubernetes" "bare" { directory = "live/bare" }

target "kubernetes" "timed" {
  directory = "live/timed"
  kueue     = { version = "0.17", ready_timeout = "10m" }
}

pool "timed" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.timed
  select      = { accelerator-type = "timed" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

target "kubernetes" "unasked" {
  directory          = "live/unasked"
  kueue              = { version = "0.17" }
  cluster_autoscaler = { version = "1.33" }
}

pool "unasked" {
  tier           = tier.on-demand
  cluster        = target.kubernetes.unasked
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = "0..4"
  idle_after     = "10m"
}

target "kubernetes" "fair" {
  directory = "live/fair"
  kueue     = { version = "0.17", fair_sharing = true }
}

pool "fair" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.fair
  select      = { accelerator-type = "fair" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

target "kubernetes" "alpha" {
  directory = "live/alpha"
  kueue     = { version = "0.18", gates = ["ConcurrentAdmission"] }
}

pool "alpha-new" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.alpha
  select      = { accelerator-type = "new" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

pool "alpha-old" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.alpha
  select      = { accelerator-type = "old" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}
