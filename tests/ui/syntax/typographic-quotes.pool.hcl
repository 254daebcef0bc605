#~ PW0006
tenant “vision” {
  namespaces = ["vision"]
}
