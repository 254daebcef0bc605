#~ PW0030
tenant "vision" {
  namespaces = ["vision" "speech"]
}
