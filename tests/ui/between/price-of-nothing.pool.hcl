#~ PW4402
#~ alone
fleet {
  name   = "acme"
  prices = [price_book.contract]
}

price_book "contract" {
  prices = [
    { provider = "aws", instance_type = "p4d.24xlarge", on_demand = "$0/gpu/h" },
  ]
}
