#~ PW9001
queue "more" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
  hold    = "none"
  foreign = { hold = "night-shift", hidden = "site" }

  extra = { slurm = { Partition = { LLN = "YES", OverSubscribe = "FORCE:4" } } }
}
