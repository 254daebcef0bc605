#~ PW2008
policy "size" {
  subject  = "pool"
  require  = self.gpus.max <= 64
  severity = "deny"
  message  = "${self.name} is too large"

  test "large" {
    given  = { self = { gpus = { max = 65 } } }
    expect = "denied"
  }
}
