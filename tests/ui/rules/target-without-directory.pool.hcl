#~ PW4007
target "kubernetes" "east" {
  kueue = { version = "0.17" }
}
