#~ PW0004
tenant "vision" {
  namespaces = ["vision"]
}
/* later:
tenant "speech" { namespaces = ["speech"] }
