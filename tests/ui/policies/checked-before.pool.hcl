#~ PW1013
#~ PW2002
#~ PW2008
#~ PW3001
#~ PW3002
# What is certainly wrong in expressions that are evaluated last is found at once.
policy "spot-share" {
  subject  = "plan"
  require  = summ([for p in fleet.pools : p.gpus.maxx if p.tier.kind == "spott"]) >= 1
  severity = "warn"
  message  = "too little is spot"
}

policy "short" {
  subject  = "class"
  when     = self.kind == "interactiv"
  require  = self.limits.run_time <= "8hours" && length(self.tenants, 1) > 0
  severity = "warn"
  message  = "${self.name} is long"
}

check "all pools have a price" {
  assert {
    condition     = alltrue([for p in values(fleet.pools) : p.pricee != null])
    error_message = "a pool has no price"
  }
}

test "the first step is open" {
  assert {
    condition     = decide({ queue = queue.batch, gpus = 8, waited = "0s" }).opened == []
    error_message = "something is open"
  }
}
