#~ PW4011
policy "size" {
  subject  = "pool"
  require  = self.gpus.max <= 64
  severity = "approve"
  message  = "${self.name} is too large"
}
