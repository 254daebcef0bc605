#~ PW4026
#~ PW4006
route "no-order" { candidates = [pool.hpc] }

route "no-candidates" {
  order = "cheapest"

  step "one" { pools = [pool.hpc] }
}

route "both" {
  candidates = [pool.hpc]
  order      = "cheapest"

  step "one" { pools = [pool.hpc] }
}

route "near-nothing" {
  candidates = [pool.hpc]
  order      = "nearest"
}

route "near-by-price" {
  candidates = [pool.hpc]
  order      = "cheapest"
  near       = ["eu-*"]
}

route "twice" {
  candidates = [pool.hpc, pool.hpc]
  order      = "cheapest"
  for        = "10m"
}

route "no-patience" {
  candidates = [pool.hpc, pool.gaudi]
  order      = "cheapest"
}
