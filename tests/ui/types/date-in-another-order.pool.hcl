#~ PW2014
price_book "contract" {
  prices = [
    { provider = "aws", instance_type = "p4d.24xlarge", on_demand = "$2/gpu/h", date = "01.11.2026" },
  ]
}
