#~ PW1013
policy "size" {
  subject  = "pool"
  require  = self.gpus.maximum <= 64
  severity = "deny"
  message  = "${self.name} is too large"
}
