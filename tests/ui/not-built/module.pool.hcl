#~ PW9001
module "edge" {
  source = "./edge"
}
