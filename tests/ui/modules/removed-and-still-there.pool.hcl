#~ PW1025
removed {
  from    = pool.hpc
  destroy = false
}
