#~ PW3012
tenant "vision" {
  namespaces  = ["vision"]
  description = "namespaces ${["a", "b"]}"
}
