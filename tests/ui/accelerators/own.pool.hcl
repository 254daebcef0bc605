accelerator "acme-npu" {
  vendor     = "amd"
  memory     = "96GiB"
  resource   = "acme.dev/npu"
  products   = ["ACME_NPU_v1", "ACME_NPU_v1.1"]
  gres_type  = "npu"
  domain     = 16

  partition "2c.24gb" {
    per_gpu = 4
    memory  = "24GiB"
  }

  partition "half" {
    per_gpu  = 2
    memory   = "48GiB"
    resource = "acme.dev/half-npu"
  }
}

# Attributes of one's own and of the catalogue's, with what follows from the vendor.
output "own" {
  value = "${accelerator.acme-npu.memory} ${accelerator.acme-npu.domain} ${accelerator.acme-npu.products[0]}"
}

pool "more" {
  accelerator = accelerator.acme-npu
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "more[01-04]"

  precondition {
    condition     = accelerator.acme-npu.memory >= accelerator.nvidia-a100-80gb-sxm.memory
    error_message = "too little memory"
  }
  precondition {
    condition     = accelerator.nvidia-h100-80gb-sxm.resource == "nvidia.com/gpu"
    error_message = "another resource"
  }
}
