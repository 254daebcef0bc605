#~ PW2003
tenant "vision" {
  namespaces = ["vision"]
  budget     = "¥5000/month"
}
