#~ PW9001
target "coreweave" "ord" {
  kubernetes = target.kubernetes.eks
}
