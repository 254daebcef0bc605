#~ PW1001
pol "main" {
  cluster = target.kubernetes.eks
}
