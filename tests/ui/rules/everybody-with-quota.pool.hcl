#~ PW4013
tenant "all" {
  accounts = ["*"]
  budget   = "$1000/month"
}
