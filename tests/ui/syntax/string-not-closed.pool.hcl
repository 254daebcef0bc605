#~ PW0001
tenant "vision" {
  namespaces = ["vision]
  accounts   = ["vision"]
}
