#~ PW0020
class "short" {
  priority 1
}
