#~ PW4019
# The level says four hosts a domain, a switch has eight.
fabric "small" {
  kind  = "infiniband"
  rails = 1
  rate  = "400Gbps"

  level "unit" { nodes = 4 }

  switch "top" {
    switch "su1" { hosts = "n[01-08]" }
  }
}
