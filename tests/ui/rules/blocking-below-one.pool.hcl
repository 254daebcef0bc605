#~ PW4031
# A level cannot be less than not blocking.
fabric "odd" {
  kind  = "infiniband"
  rails = 1
  rate  = "400Gbps"

  level "leaf" { blocking = 0.5 }
}
