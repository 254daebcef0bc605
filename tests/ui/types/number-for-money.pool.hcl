#~ PW2001
tenant "vision" {
  namespaces = ["vision"]
  budget     = 5000
}
