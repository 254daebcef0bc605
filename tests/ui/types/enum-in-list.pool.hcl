#~ PW2008
class "short" {
  priority = 1
  tiers    = ["spot", "ondemand"]
}
