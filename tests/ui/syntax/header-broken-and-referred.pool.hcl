#~ PW0025
class "short"
{
  priority = 1
}

queue "train" {
  class   = class.short
  tenants = [tenant.nlp]
  pools   = [pool.hpc]
}
