#~ PW4014
fabric "ndr" {
  kind  = "infiniband"
  rails = 8
  rate  = "3.2TB/s"
}
