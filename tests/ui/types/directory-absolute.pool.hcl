#~ PW2005
target "kubernetes" "east" {
  directory = "/srv/east"
}
