#~ PW2013
target "kubernetes" "east" {
  directory = "live/east"
  kueue     = { version = null }
}
