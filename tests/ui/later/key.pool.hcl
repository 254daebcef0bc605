#~ PW9001
target "kubernetes" "more" {
  directory = "live/more"
  kueue     = { version = "0.17", uncovered = ["smarter-devices/"] }
}

target "kubernetes" "plain" {
  directory = "live/plain"
  kueue     = { version = "0.17", uncovered = [] }
}
