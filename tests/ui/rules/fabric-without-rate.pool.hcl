#~ PW1007
fabric "ndr" {
  kind = "infiniband"
}
