#~ PW0024
class "short" {
  priority = 1,
  kind     = "batch"
}
