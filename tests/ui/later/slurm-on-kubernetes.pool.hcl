#~ PW9001
target "slurm" "pods" {
  directory  = "live/pods"
  version    = "25.05"
  operator   = "slinky"
  kubernetes = target.kubernetes.onprem
}
