#~ PW4016
tier "own" {
  kind = "owned"
  ownership = {
    cost        = "$300000/node"
    months      = 48
    power       = "8kW"
    tariff      = "$0.10/kWh"
    utilisation = "0%"
  }
}
