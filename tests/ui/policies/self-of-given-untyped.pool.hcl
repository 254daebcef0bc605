#~ PW2001
policy "size" {
  subject  = "pool"
  require  = self.gpus.max <= 64
  severity = "deny"
  message  = "${self.name} is too large"

  test "large" {
    given  = { self = { gpus = "many" } }
    expect = "deny"
  }
}
