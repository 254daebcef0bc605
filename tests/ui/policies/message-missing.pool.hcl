#~ PW1007
policy "size" {
  subject  = "pool"
  require  = self.gpus.max <= 64
  severity = "deny"
}
