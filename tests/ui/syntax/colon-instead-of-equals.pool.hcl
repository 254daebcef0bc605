#~ PW0021
class "short" {
  priority: 1
}
