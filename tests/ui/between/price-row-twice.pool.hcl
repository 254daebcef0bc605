#~ PW4033
#~ PW4018
price_book "again" {
  prices = [
    { provider = "aws", region = "us-east-1", instance_type = "p4d.24xlarge", on_demand = "$20/node/h", date = "2026-11-01" },
    { provider = "aws", region = "us-east-1", instance_type = "p4d.24xlarge", on_demand = "$21/node/h", date = "2026-11-01" },
  ]
}
