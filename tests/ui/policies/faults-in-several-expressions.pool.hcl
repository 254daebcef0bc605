#~ PW1010
#~ PW1013
policy "size" {
  subject  = "pool"
  when     = self.tier == tier.spott
  require  = self.gpu.max <= 64
  severity = "deny"
  message  = "${self.nam} is too large"
}
