#~ PW4051
accelerator "nvidia-a100-80gb-sxm" {
  vendor = "nvidia"
  memory = "64GiB"
}

# As much and another name of the product: nothing to say.
accelerator "nvidia-h100-80gb-sxm" {
  vendor   = "nvidia"
  memory   = "80GiB"
  products = ["NVIDIA-H100-80GB-HBM3-SHARED"]
}
