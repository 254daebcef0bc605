#~ PW1025
moved {
  from = "pool.old"
  to   = pool.hpc
}
