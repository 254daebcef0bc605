#~ PW2001
policy "budget" {
  subject  = "tenant"
  require  = self.cost.monthly.ceiling <= self.budget
  severity = "deny"
  message  = "${self.name} is over budget"

  test "over" {
    given  = { self = { name = "lab", budget = 1000 } }
    expect = "deny"
  }
}
