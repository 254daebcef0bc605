#~ PW4004
tier "by-the-hour" {
  kind       = "on-demand"
  commitment = { hourly = "$17.60/node/h" }
}

tier "contract" {
  kind       = "reserved"
  commitment = { hourly = "$10/node/h", upfront = "$50000/node" }
}

tier "whole" {
  kind       = "reserved"
  commitment = { hourly = "$10/node/h", upfront = "$50000/node", months = 12 }
}
