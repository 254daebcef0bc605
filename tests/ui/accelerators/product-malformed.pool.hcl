#~ PW4030
accelerator "acme-npu" {
  vendor   = "nvidia"
  memory   = "32GiB"
  products = ["ACME NPU", "ACME-NPU"]
}
