#~ PW4041
policy "stores" {
  subject  = "class"
  require  = length(self.stores) > 0
  severity = "warn"
  message  = "${self.name} names no store"

  exempt "batch" {
    match       = self.name == "batch"
    until       = "2027-03-31"
    owner       = "mlops"
    max_monthly = "$1000/month"
  }
}
