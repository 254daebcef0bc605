#~ PW2002
fabric "ndr" {
  kind = "infiniband"
  rate = "400Gb"
}
