#~ PW0010
tenant "vision" {
  namespaces = ["vision"]

tenant "speech" {
  namespaces = ["speech"]
}
