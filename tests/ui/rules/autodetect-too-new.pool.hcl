#~ PW4007
target "slurm" "old" {
  directory  = "live/old"
  version    = "23.11"
  autodetect = "nvidia"
}
