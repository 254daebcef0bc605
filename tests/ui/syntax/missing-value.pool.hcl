#~ PW0022
class "short" {
  priority =
}
