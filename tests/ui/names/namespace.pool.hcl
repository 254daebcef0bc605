#~ PW1006
tenant "vision" {
  namespaces = ["Vision Team"]
}
