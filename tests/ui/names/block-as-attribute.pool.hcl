#~ PW1003
route "ladder" {
  step = [pool.hpc]

  step "one" { pools = [pool.hpc] }
}
