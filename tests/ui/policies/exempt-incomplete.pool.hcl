#~ PW1007
#~ PW1013
policy "small" {
  subject  = "pool"
  require  = self.gpus.max <= 64
  severity = "warn"
  message  = "${self.name} is large"

  exempt "hpc" {
    match = self.nam == "hpc"
    until = "2027-03-31"
    owner = "mlops"
  }

  exempt "for-ever" {
    match = self.name == "cloud"
    owner = "mlops"
  }
}
