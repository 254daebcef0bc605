#~ PW2002
tenant "vision" {
  namespaces = ["vision"]
  budget     = "5000/month"
}
