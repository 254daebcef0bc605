# Each remark has its comment: above, on the line, below another comment, several codes, `//`.
queue "again" {
  class = class.batch
  # poolwright:allow(PW4033) the list is made by a script that sorts it
  tenants = [tenant.nlp, tenant.nlp]
  pools   = [pool.gaudi, pool.gaudi] // poolwright:allow(PW4033): the same script
}

class "calm" {
  priority = 1
  # poolwright:allow(PW4032) kept until the move to Slurm

  # a word of its own
  when_preempted = { action = "cancel", grace = "10s" }
}

queue "calm" {
  class   = class.calm
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
