#~ PW4030
target "slurm" "burst" {
  directory = "live/burst"
  version   = "24.11"
  power     = { resume = "resume.sh", suspend = "/opt/acme/suspend; reboot" }
}
