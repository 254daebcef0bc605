#~ PW4029
fabric "nv" {
  kind = "nvlink"

  level "row" { block_size = 54 }
  level "rack" {
    nodes      = 16
    block_size = 18
  }
}
