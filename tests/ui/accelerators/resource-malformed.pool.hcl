#~ PW4030
accelerator "acme-npu" {
  vendor   = "intel"
  memory   = "32GiB"
  resource = "npu"
}

accelerator "acme-tpu" {
  vendor   = "intel"
  memory   = "32GiB"
  resource = "acme.dev/the tpu"

  partition "half" {
    per_gpu  = 2
    memory   = "16GiB"
    resource = "requests.acme.dev/half/tpu"
  }
}

# As a device plugin registers it.
accelerator "acme-xpu" {
  vendor   = "intel"
  memory   = "32GiB"
  resource = "acme.dev/xpu_v1.0"
}
