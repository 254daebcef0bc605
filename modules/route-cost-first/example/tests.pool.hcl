test "spot at AWS comes first, since it costs less" {
  assert {
    condition     = [for step in queue.training.route.steps : step.pools[0]] == [pool.aws-a100-spot, pool.aliyun-a100]
    error_message = "the order is ${jsonencode([for step in queue.training.route.steps : step.name])}"
  }
  assert {
    condition     = pool.aws-a100-spot.price < pool.aliyun-a100.price && pool.aliyun-a100.price == "$2.80/gpu/h"
    error_message = "spot costs ${pool.aws-a100-spot.price}, on demand ${pool.aliyun-a100.price}"
  }
}

test "Alibaba opens at 15 minutes, and not before" {
  assert {
    condition     = [for step in queue.training.route.steps : step.opens_at] == [duration("0s"), duration("15m")]
    error_message = "the last step opens at ${queue.training.route.last.opens_at}"
  }
  assert {
    condition     = decide({ queue = queue.training, gpus = 8, waited = "899s", no_capacity = [pool.aws-a100-spot] }).open == [pool.aws-a100-spot]
    error_message = "the fallback opened before its time"
  }
  assert {
    condition     = decide({ queue = queue.training, gpus = 8, waited = "900s", no_capacity = [pool.aws-a100-spot] }).admit == pool.aliyun-a100
    error_message = "the fallback did not open at 900 s"
  }
}

test "no step is taken above the cap" {
  assert {
    condition     = decide({ queue = queue.training, gpus = 8, waited = "900s", no_capacity = [pool.aws-a100-spot], price = { aliyun-a100 = "$3.30/gpu/h" } }).admit == null
    error_message = "a job was admitted at $3.30, and the cap is $3.10"
  }
}
