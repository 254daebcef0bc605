#~ PW4148
#~ PW9001
target "slurm" "burst" {
  directory  = "live/burst"
  version    = "24.11"
  accounting = true
  power      = { resume = "/opt/acme/resume", suspend = "/opt/acme/suspend", resume_timeout = "8m" }
}

pool "burst" {
  tier           = tier.on-demand
  cluster        = target.slurm.burst
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az2"]
  nodes          = "0..4"
  idle_after     = "10m"
}

pool "fixed" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.burst
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "f[01-04]"
}

route "impatient" {
  step "burst" {
    pools = [pool.burst]
    for   = "10m"
  }
  step "fixed" { pools = [pool.fixed] }
}

route "patient" {
  step "burst" {
    pools = [pool.burst]
    for   = "11m"
  }
  step "fixed" { pools = [pool.fixed] }
}

queue "impatient" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.impatient
}

queue "patient" {
  class   = class.batch
  tenants = [tenant.nlp]
  route   = route.patient
}
