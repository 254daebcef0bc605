#~ PW1001
target "kubernets" "east" {
  directory = "live/east"
}
