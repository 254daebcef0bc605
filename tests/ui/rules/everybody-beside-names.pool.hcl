#~ PW4013
tenant "all" {
  accounts = ["*", "vision"]
}
