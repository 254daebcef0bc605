#~ PW4006
route "ladder" {
  step "one" { pools = [pool.cloud] }
  step "two" { pools = [pool.hpc] }
}
