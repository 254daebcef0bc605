#~ PW8020
check "every pool is on Slurm" {
  assert {
    condition     = alltrue([for p in fleet.pools : startswith(p.cluster.address, "target.slurm")])
    error_message = "a pool is elsewhere"
  }
}
