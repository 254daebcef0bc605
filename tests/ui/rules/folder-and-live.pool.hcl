#~ PW4007
target "kubernetes" "both" {
  directory  = "live/both"
  kubeconfig = "~/.kube/config"
}

target "slurm" "both" {
  directory = "live/slurm-both"
  host      = "local"
  version   = "24.11"
}
