#~ PW2008
policy "size" {
  subject  = "pool"
  require  = self.gpus.max <= 64
  severity = "error"
  message  = "${self.name} is too large"
}
