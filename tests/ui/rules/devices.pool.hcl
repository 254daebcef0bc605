#~ PW4025
pool "unequal" {
  tier    = tier.owned
  cluster = target.slurm.hpc
  node = { gpus = 8, cpus = 48, memory = "256GiB", devices = [
    { accelerator = accelerator.nvidia-rtx-3090, files = "/dev/nvidia[0-3]" },
    { accelerator = accelerator.nvidia-rtx-4090, files = "/dev/nvidia[4-6]" },
  ] }
  hosts = "x1"
}

pool "twice" {
  tier    = tier.owned
  cluster = target.slurm.hpc
  node = { cpus = 48, memory = "256GiB", devices = [
    { accelerator = accelerator.nvidia-rtx-3090, files = "/dev/nvidia[0-3]" },
    { accelerator = accelerator.nvidia-rtx-4090, files = "/dev/nvidia[3-6]" },
  ] }
  hosts = "x2"
}

pool "on-kubernetes" {
  tier    = tier.owned
  cluster = target.kubernetes.onprem
  select  = { mixed = "yes" }
  node = { cpus = 48, memory = "256GiB", devices = [
    { accelerator = accelerator.nvidia-rtx-3090, files = "/dev/nvidia[0-3]" },
  ] }
  nodes = 1
}

pool "no-folder" {
  tier    = tier.owned
  cluster = target.slurm.hpc
  node    = { cpus = 48, memory = "256GiB", devices = [{ accelerator = accelerator.nvidia-rtx-3090, files = "nvidia[0-3]" }] }
  hosts   = "x3"
}
