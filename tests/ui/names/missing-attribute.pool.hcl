#~ PW1007
class "short" {
  kind = "batch"
}
