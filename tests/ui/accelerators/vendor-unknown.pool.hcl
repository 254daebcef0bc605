#~ PW2008
accelerator "acme-npu" {
  vendor = "nvidea"
  memory = "32GiB"
}
