#~ PW4050
accelerator "acme-npu" {
  vendor = "nvidia"
  memory = "32GiB"

  partition "1g.8gb" {
    per_gpu = 4
    memory  = "8GiB"
  }

  partition "2g.16gb" {
    per_gpu = 3
    memory  = "16GiB"
  }
}
