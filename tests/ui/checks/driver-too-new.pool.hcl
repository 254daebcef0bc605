#~ PW4169
pool "volta" {
  accelerator = accelerator.nvidia-v100-32gb
  tier        = tier.owned
  cluster     = target.slurm.hpc
  driver      = "590.44"
  node        = { gpus = 8, cpus = 96, memory = "1TiB" }
  hosts       = "volta[1-4]"
}
