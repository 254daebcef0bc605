#~ PW3003
locals {
  secret = file("../secret")
  none   = filesha256("files/none")
  near   = file("node.tara")
}
