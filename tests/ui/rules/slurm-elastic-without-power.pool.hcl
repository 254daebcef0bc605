#~ PW4003
pool "burst" {
  accelerator    = accelerator.nvidia-a100-40gb
  tier           = tier.on-demand
  cluster        = target.slurm.hpc
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = "0..4"
  idle_after     = "10m"
}
