test "12 nodes of 8 GPUs on spot, 4 on demand" {
  assert {
    condition     = queue.batch.gpus == { min = 0, max = 128 }
    error_message = "the queue reaches ${queue.batch.gpus.max}"
  }
  assert {
    condition     = [for pool in module.gpu.spot : pool.gpus.max] == [96] && [for pool in module.gpu.on-demand : pool.gpus.max] == [32]
    error_message = "spot has ${module.gpu.spot[0].gpus.max}"
  }
  assert {
    condition     = module.gpu.pools["a100"].elastic && module.gpu.pools["a100"].region == "us-east-1"
    error_message = "the pool is bought in ${module.gpu.pools["a100"].region}"
  }
}

test "the tenant is guaranteed 64 of them" {
  assert {
    condition     = tenant.nlp.gpus == { guaranteed = 64, max = 128 }
    error_message = "nlp has ${jsonencode(tenant.nlp.gpus)}"
  }
}

test "money to the cent: the bid is the most a spot node costs" {
  assert {
    condition     = module.gpu.pools["a100-spot"].cost.monthly.ceiling == "$140160.00/month"
    error_message = "12 nodes at $16 cost ${module.gpu.pools["a100-spot"].cost.monthly.ceiling}"
  }
  assert {
    condition     = module.gpu.pools["a100-spot"].cost.monthly.floor == "$0/month"
    error_message = "no node, no cost"
  }
}
