#~ PW2006
class "short" {
  priority = 1
  limits   = { runtime = "8h" }
}
