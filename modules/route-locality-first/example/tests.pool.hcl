test "near regions come first, in the order of the patterns" {
  assert {
    condition     = [for step in queue.serve.route.steps : step.pools[0]] == [pool.frankfurt, pool.paris, pool.ashburn]
    error_message = "the order is ${jsonencode([for step in queue.serve.route.steps : step.name])}"
  }
  assert {
    condition     = [for step in queue.serve.route.steps : step.opens_at] == [duration("0s"), duration("10m"), duration("20m")]
    error_message = "the last step opens at ${queue.serve.route.last.opens_at}"
  }
  assert {
    condition     = queue.serve.gpus.max == 88
    error_message = "the queue reaches ${queue.serve.gpus.max}"
  }
}

test "a job stays near as long as it can" {
  assert {
    condition     = decide({ queue = queue.serve, gpus = 4, waited = "1199s", no_quota = [pool.frankfurt, pool.paris] }).open == [pool.frankfurt, pool.paris]
    error_message = "Ashburn opened before its time"
  }
  assert {
    condition     = decide({ queue = queue.serve, gpus = 4, waited = "1200s", no_quota = [pool.frankfurt, pool.paris] }).admit == pool.ashburn
    error_message = "Ashburn did not open at 1200 s"
  }
}
