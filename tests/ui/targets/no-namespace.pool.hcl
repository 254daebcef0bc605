#~ PW5111
tenant "vision" { accounts = ["vision"] }

queue "train" {
  class   = class.batch
  tenants = [tenant.vision]
  pools   = [pool.gaudi]
}
