#~ PW4028
fabric "ib" {
  kind      = "infiniband"
  rate      = "400Gbps"
  discovery = { file = "fabric/ibnetdiscover.txt", format = "ibnetdiscover" }

  level "leaf" { nodes = 16 }
  switch "leaf" { hosts = "gpu[001-016]" }
}

fabric "ena" {
  kind     = "efa"
  pkey     = 7
  rails    = 2
  networks = ["a", "b", "c"]
}
