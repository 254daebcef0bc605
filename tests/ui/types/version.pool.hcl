#~ PW2002
target "kubernetes" "east" {
  directory = "live/east"
  version   = "latest"
}
