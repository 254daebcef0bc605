#~ PW9001
target "kubernetes" "live" {
  kubeconfig = "~/.kube/config"
  context    = "live"
  kueue      = { version = "0.17" }
}

target "slurm" "live" {
  host    = "local"
  version = "24.11"
}

target "alibaba" "live" {
  region  = "cn-hangzhou"
  profile = "acme"
  zones   = { cn-hangzhou-i = "vsw-1" }
}
