#~ PW1007
accelerator "acme-npu" {
  vendor = "intel"
}
