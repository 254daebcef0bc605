#~ PW9001
policy "small" {
  subject  = "pool"
  require  = self.gpus.max <= 1024
  severity = "deny"
  enforce  = ["plan", "admission"]
  message  = "${self.name} is large"
}

policy "smaller" {
  subject  = "pool"
  require  = self.gpus.max <= 4096
  severity = "deny"
  enforce  = ["plan"]
  message  = "${self.name} is large"
}
