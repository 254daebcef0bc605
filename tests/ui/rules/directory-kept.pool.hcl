#~ PW4015
# Hidden folders, where a target would not be found again, and names that no file system holds.
target "kubernetes" "state" {
  directory = "live/.poolwright/kubernetes.eks"
  region    = "eu-fra"
}

target "kubernetes" "long" {
  directory = 1e999
  region    = "eu-fra"
}
