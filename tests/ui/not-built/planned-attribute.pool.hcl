#~ PW9001
class "short" {
  priority   = 1
  guaranteed = true
}
