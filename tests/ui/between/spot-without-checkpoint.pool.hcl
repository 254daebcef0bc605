#~ PW4125
pool "spot" {
  tier           = tier.spot
  cluster        = target.kubernetes.eks
  provision      = target.aws.use1
  instance_types = ["p4d.24xlarge"]
  zones          = ["use1-az4"]
  nodes          = "0..4"
}

queue "train" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.spot]
}
