#~ PW4035
fabric "ib" {
  kind  = "infiniband"
  rails = 8
  rate  = "400Gbps"

  level "spine" { blocking = 1 }
  level "unit" { nodes = 32 }

  switch "spine" {
    radix = 1

    switch "full" {
      hosts = "a[01-32]"
      radix = 48
    }
    switch "fits" {
      hosts = "b[01-24]"
      radix = 48
    }
  }
}
