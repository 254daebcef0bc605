#~ PW4020
pool "seats" {
  cluster = target.kubernetes.onprem
  tokens  = { "licence/seat" = 20 }
  tier    = tier.owned
  nodes   = 4
}

pool "none" {
  cluster = target.kubernetes.onprem
  tokens  = {}
}

pool "licences" {
  cluster = target.slurm.hpc
  tokens  = { "licence/seat" = 20 }
}
