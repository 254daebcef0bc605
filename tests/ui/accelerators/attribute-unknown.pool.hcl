#~ PW1013
accelerator "acme-npu" {
  vendor = "intel"
  memory = "32GiB"
}

pool "more" {
  accelerator = accelerator.acme-npu
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "more[01-04]"
  features    = [accelerator.nvidia-a100-40gb.gres_typ]
  node_labels = {
    own   = accelerator.acme-npu.gres_typ
    right = accelerator.nvidia-a100-40gb.gres_type
  }
}
