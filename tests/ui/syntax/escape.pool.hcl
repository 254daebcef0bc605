#~ PW0005
tenant "vision" {
  description = "C:\data"
}
