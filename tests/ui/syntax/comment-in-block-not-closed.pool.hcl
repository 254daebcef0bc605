#~ PW0004
tenant "vision" {
  namespaces = ["vision"] /* and others
}
