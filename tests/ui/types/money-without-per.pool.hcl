#~ PW2012
tenant "vision" {
  namespaces = ["vision"]
  budget     = "$5000"
}
