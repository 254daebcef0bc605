#~ PW4006
# Nothing lets a job leave the first step.
route "stuck" {
  step "first" {
    pools = [pool.gaudi]
    for   = "15m"
    on    = []
  }
  step "second" { pools = [pool.cloud] }
}
