#~ PW2001
tenant "vision" {
  namespaces = "vision"
}
