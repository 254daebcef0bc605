#~ PW4043
fabric "ndr" {
  kind  = "infiniband"
  rails = 8
  rate  = "400Gbps"

  level "spine" { nodes = 8 }
  level "unit" { nodes = 32 }
}
