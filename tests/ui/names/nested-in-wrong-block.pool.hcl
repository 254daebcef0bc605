#~ PW1001
queue "night" {
  class   = class.batch
  tenants = [tenant.nlp]

  step "cheap" {
    pools = [pool.hpc]
  }
}

pool "ib" {
  accelerator = accelerator.nvidia-l4
  tier        = tier.owned
  cluster     = target.kubernetes.onprem
  select      = { pool = "ib" }
  node        = { gpus = 8, cpus = 160, memory = "1TiB" }
  nodes       = 4

  switch "leaf" {
    hosts = "gpu[001-016]"
  }
}

tenant "vision" {
  namespaces = ["vision"]

  quota {
    pool = pool.hpc
    gpus = 8
  }
}

queue "day" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]

  limits {
    gpus = 8
  }
}
