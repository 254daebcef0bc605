#~ PW0007
tenant "vision" {
  namespaces = ["vision"]
  budget     = $600000/month
}
