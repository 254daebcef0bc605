#~ PW4018
# A second book that the fleet does not name: its rows would be missed without a word.
price_book "spare" {
  prices = [
    { provider = "aws", instance_type = "p4d.24xlarge", on_demand = "$20.00/node/h", date = "2026-11-01" },
  ]
}
