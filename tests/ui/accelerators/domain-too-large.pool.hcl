#~ PW4160
fabric "nvl" {
  kind   = "nvlink"
  layout = "tree"
  rate   = "400Gbps"

  level "rack" { nodes = 18 }
}

# 18 trays of 4 are the 72 GPUs of one NVLink domain.
pool "racks" {
  accelerator = accelerator.nvidia-gb200-186gb
  tier        = tier.owned
  cluster     = target.slurm.hpc
  fabric      = fabric.nvl
  node        = { gpus = 4, cpus = 144, memory = "900GiB" }
  hosts       = "rack[01-18]"
}

# Eight GPUs on a board are joined; two boards are not.
pool "boards" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  fabric      = fabric.nvl
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "board[01-18]"
}
