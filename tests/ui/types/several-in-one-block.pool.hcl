#~ PW2001
#~ PW2002
#~ PW2008
class "short" {
  priority = "high"
  kind     = "batsh"
  limits   = { run_time = "8 h", wait = "soon" }
}
