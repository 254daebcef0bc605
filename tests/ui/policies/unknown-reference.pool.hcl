#~ PW1010
policy "prod" {
  subject  = "queue"
  require  = self.class == class.bach
  severity = "warn"
  message  = "${self.name} is not batch"
}
