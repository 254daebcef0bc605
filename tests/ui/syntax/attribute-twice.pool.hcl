#~ PW0028
class "short" {
  priority = 1
  kind     = "batch"
  priority = 2
}
