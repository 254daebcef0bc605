#~ PW4002
fabric "ndr" {
  kind  = "infiniband"
  rails = 8
  rate  = "400Gbps"
  env   = { interface = "eth0", hcas = "mlx5_[0-3]" }
}
