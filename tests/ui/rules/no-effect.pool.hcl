#~ PW4032
tier "kept" {
  kind      = "owned"
  protect   = true
  ownership = { price = "$2.00/gpu/h" }
}

pool "more" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.kept
  cluster     = target.kubernetes.onprem
  select      = { accelerator-type = "other" }
  node_labels = { rack = "r7" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
  idle_after  = "10m"
  allocation  = "price"
  features    = ["fast"]
}

class "kube" {
  priority       = 1
  limits         = { run_time = "1h", wait = "2h", nodes = "1..2" }
  when_preempted = { action = "cancel", grace = "10s" }
}

queue "train" {
  class   = class.kube
  tenants = [tenant.nlp]
  pools   = [pool.more]
  hidden  = true
}
