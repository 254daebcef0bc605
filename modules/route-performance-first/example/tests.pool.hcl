test "the pool that does most work comes first, though it was listed last" {
  assert {
    condition     = [for step in queue.pretrain.route.steps : step.pools[0]] == [pool.h100, pool.a100]
    error_message = "the order is ${jsonencode([for step in queue.pretrain.route.steps : step.name])}"
  }
  assert {
    condition     = [for step in queue.pretrain.route.steps : step.opens_at] == [duration("0s"), duration("20m")]
    error_message = "the last step opens at ${queue.pretrain.route.last.opens_at}"
  }
  assert {
    condition     = queue.pretrain.gpus.max == 96
    error_message = "the queue reaches ${queue.pretrain.gpus.max}"
  }
}

test "A100 nodes open at 20 minutes, and not before" {
  assert {
    condition     = decide({ queue = queue.pretrain, gpus = 8, waited = "1199s", no_capacity = [pool.h100] }).open == [pool.h100]
    error_message = "the fallback opened before its time"
  }
  assert {
    condition     = decide({ queue = queue.pretrain, gpus = 8, waited = "1200s", no_capacity = [pool.h100] }).admit == pool.a100
    error_message = "the fallback did not open at 1200 s"
  }
}
