test "a scalable unit is 32 nodes of 8 GPUs" {
  assert {
    condition     = module.superpod.nodes == 32 && module.superpod.pool.gpus == { min = 256, max = 256 }
    error_message = "there are ${module.superpod.nodes} nodes with ${module.superpod.pool.gpus.max}"
  }
  assert {
    condition     = module.superpod.pool.hosts == "dgx-[001-032]"
    error_message = "the hosts are ${module.superpod.pool.hosts}"
  }
}

test "8 rails of 400 Gb/s are 3.2 Tb/s a node" {
  assert {
    condition     = module.superpod.pool.rate_per_node == "3.2Tbps"
    error_message = "a node has ${module.superpod.pool.rate_per_node}"
  }
  assert {
    condition     = module.superpod.fabric.rails == 8 && module.superpod.fabric.rate == "400Gbps"
    error_message = "${module.superpod.fabric.rails} rails of ${module.superpod.fabric.rate}"
  }
}

test "money to the cent: 256 GPUs at $2.10 are paid for, used or not" {
  assert {
    condition     = module.superpod.pool.cost.monthly.floor == "$392448.00/month" && module.superpod.pool.cost.monthly.ceiling == "$392448.00/month"
    error_message = "the unit costs ${module.superpod.pool.cost.monthly.ceiling}"
  }
  assert {
    condition     = tenant.language.gpus == { guaranteed = 128, max = 160 } && tenant.language.cost.monthly.ceiling == "$245280.00/month"
    error_message = "language can spend ${tenant.language.cost.monthly.ceiling}"
  }
  assert {
    condition     = tenant.language.cost.monthly.ceiling <= tenant.language.budget && tenant.vision.cost.monthly.ceiling <= tenant.vision.budget
    error_message = "a tenant can spend more than its budget"
  }
}

test "both tenants reach both partitions" {
  assert {
    condition     = alltrue([for queue in module.superpod.queues : queue.tenants == [tenant.language, tenant.vision]])
    error_message = "a partition lacks a tenant"
  }
  assert {
    condition     = decide({ queue = module.superpod.queues[0], tenant = tenant.vision, gpus = 64, waited = "0s" }).admit == module.superpod.pool
    error_message = "64 GPUs of vision's own are not admitted"
  }
}
