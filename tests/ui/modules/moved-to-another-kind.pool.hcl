#~ PW1025
moved {
  from = tier.old
  to   = pool.hpc
}
