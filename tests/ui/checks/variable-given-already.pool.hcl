#~ PW4045
#~ PW9001
fabric "ndr" {
  kind  = "infiniband"
  rails = 2
  rate  = "400Gbps"
  pkey  = 9
  env   = { interface = "eth0", hcas = "mlx5_[0-1]", set = { NCCL_IB_HCA = "mlx5_1", NCCL_IB_PKEY = "0x8009", NCCL_SOCKET_IFNAME = "eth1" } }
}

fabric "efa" {
  kind  = "efa"
  rails = 4
  env   = { interface = "eth0", hcas = "efa[0-3]", set = { NCCL_IB_TIMEOUT = "22", NCCL_IB_DISABLE = "1" } }
}
