#~ PW5201
target "slurm" "old" {
  directory  = "live/old"
  version    = "20.11"
  accounting = true
}
