#~ PW2006
policy "budget" {
  subject  = "tenant"
  require  = self.cost.monthly.ceiling <= self.budget
  severity = "deny"
  message  = "${self.name} is over budget"

  test "over" {
    given  = { self = { name = "lab", bugdet = "$1000/month" } }
    expect = "deny"
  }
}
