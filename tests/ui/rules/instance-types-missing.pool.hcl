#~ PW1007
pool "more" {
  tier      = tier.on-demand
  cluster   = target.kubernetes.eks
  provision = target.aws.use1
  nodes     = 2
}
