#~ PW4034
tenant "system" {
  namespaces = ["kube-system", "default"]
  accounts   = ["root"]
}
