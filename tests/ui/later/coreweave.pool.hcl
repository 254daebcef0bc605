#~ PW9001
target "coreweave" "ord" {
  directory  = "live/ord"
  region     = "us-east-04a"
  kubernetes = target.kubernetes.onprem
}
