#~ PW9001
policy "no-risk" {
  subject  = "change"
  require  = self.risk == "safe"
  severity = "deny"
  message  = "${self.name} is risky"
}
