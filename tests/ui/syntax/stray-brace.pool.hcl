#~ PW0011
tenant "vision" {
  namespaces = ["vision"]
}
}
