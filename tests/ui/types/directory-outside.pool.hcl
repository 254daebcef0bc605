#~ PW4015
target "kubernetes" "east" {
  directory = "../east"
}
