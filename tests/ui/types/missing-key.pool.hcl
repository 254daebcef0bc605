#~ PW2007
target "kubernetes" "east" {
  directory = "live/east"
  kueue     = { namespace = "kueue-system" }
}
