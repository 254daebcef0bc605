#~ PW1011
tier "burst" {
  kind = on-demand
}

class "urgent" {
  priority = 10
  tiers    = [spot, on-demand]
}

tenant "vision" {
  description = nlp
  namespaces  = ["vision"]
}
