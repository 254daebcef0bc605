#~ PW4124
class "serve" {
  priority = 1
  images   = { nvidia = "registry.acme.dev/serve:1" }
}

queue "train" {
  class   = class.serve
  tenants = [tenant.nlp]
  pools   = [pool.gaudi]
}
