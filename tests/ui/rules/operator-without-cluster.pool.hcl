#~ PW4007
target "slurm" "pods" {
  directory = "live/pods"
  version   = "25.05"
  operator  = "soperator"
}

target "slurm" "hosts" {
  directory  = "live/hosts"
  version    = "25.05"
  kubernetes = target.kubernetes.onprem
}
