#~ PW1003
route "ladder" {
  step "one" {
    pools     = [pool.cloud]
    max_prize = "$3.10/gpu/h"
  }
}
