#~ PW1025
moved {
  from = pool.hpc
  to   = pool.gaudi
}
