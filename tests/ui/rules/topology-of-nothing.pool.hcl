#~ PW4017
class "wide" {
  priority = 1
  topology = {}
}
