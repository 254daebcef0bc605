#~ PW4007
target "kubernetes" "both" {
  directory = "live/both"
  kueue     = { version = "0.17" }
  volcano   = { version = "1.12" }
}
