#~ PW1005
class "short" "dev" {
  priority = 1
}
