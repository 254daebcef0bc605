#~ PW4044
fabric "ndr" {
  kind  = "infiniband"
  rails = 2
  rate  = "400Gbps"
  env   = { interface = "eth0", hcas = "mlx5_[0-1]", set = { NCCL_IB_TIMOUT = "22", NCCL_GO_FASTER = "1", UCX_NET_DEVICE = "mlx5_0:1", UCX_TLS = "rc", FI_PROVIDERS = "efa", OMP_NUM_THREADS = "8" } }
}
