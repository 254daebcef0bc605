#~ PW1013
policy "owner" {
  subject  = "pool"
  require  = self.lables["owner"] != null
  severity = "deny"
  message  = "${self.name} has no owner"
}
