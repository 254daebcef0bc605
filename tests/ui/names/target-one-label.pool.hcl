#~ PW1005
target "eks2" {
  directory = "live/eks2"
}
