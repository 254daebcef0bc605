#~ PW1013
policy "budget" {
  subject  = "pool"
  require  = self.budget != null
  severity = "deny"
  message  = "${self.name} has no budget"
}
