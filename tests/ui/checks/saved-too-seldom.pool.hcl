#~ PW4165
class "train" {
  priority   = 200
  checkpoint = { every = "12h", write = "1m" }
}

queue "train" {
  class   = class.train
  tenants = [tenant.nlp]
  pools   = [pool.spot]
}

pool "spot" {
  tier           = tier.spot
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = "0..4"
}
