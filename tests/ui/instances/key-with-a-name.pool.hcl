class "short" {
  for_each = { "Team A" = "team-a" }
  name     = each.value
  priority = 5
}

queue "short" {
  class   = class.short["Team A"]
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
