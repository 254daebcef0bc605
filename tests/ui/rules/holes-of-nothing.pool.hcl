#~ PW4032
fabric "ib" {
  kind  = "infiniband"
  rate  = "400Gbps"
  holes = "report"
}
