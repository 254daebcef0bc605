#~ PW1001
step "aws" {
  pools = [pool.cloud]
}
