#~ PW1007
queue "train" {
  pools = [pool.hpc]
}
