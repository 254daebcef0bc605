#~ PW4170
class "train" {
  priority = 200
  cuda     = "11.4"
}
queue "train" {
  class   = class.train
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
