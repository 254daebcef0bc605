#~ PW1009
fabric "ndr" {
  kind = "infiniband"
  rate = "400Gbps"

  switch "spine" {}
}
