#~ PW4009
pool "more" {
  accelerator    = accelerator.nvidia-h100-80gb-sxm
  tier           = tier.on-demand
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  nodes          = 2
}
