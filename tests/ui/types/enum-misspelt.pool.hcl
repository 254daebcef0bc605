#~ PW2008
class "short" {
  priority = 1
  kind     = "interaktive"
}
