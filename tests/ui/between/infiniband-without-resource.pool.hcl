# Kueue covers no adapter of `ib`; `roce` names its own.
fabric "ib" {
  kind = "infiniband"
  rate = "400Gbps"

  level "rack" { label = "acme.dev/rack" }
}

fabric "roce" {
  kind     = "roce"
  rate     = "400Gbps"
  resource = "rdma/rdma_shared_device_a"
  per_node = 63

  level "rack" { label = "acme.dev/rack" }
}

pool "joined" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  fabric      = fabric.ib
  select      = { accelerator-type = "joined" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}

pool "named" {
  accelerator = accelerator.habana-gaudi2
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  fabric      = fabric.roce
  select      = { accelerator-type = "named" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4
}
