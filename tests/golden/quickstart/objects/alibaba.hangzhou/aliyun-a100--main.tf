# poolwright: fleet acme, alibaba.hangzhou/terraform/alicloud_cs_kubernetes_node_pool/aliyun-a100--main
resource "alicloud_cs_kubernetes_node_pool" "aliyun-a100--main" {
  node_pool_name       = "aliyun-a100--main"
  cluster_id           = "c0123456789abcdef"
  vswitch_ids          = ["vsw-0bbb1111"]
  instance_types       = ["ecs.gn7-c13g1.26xlarge"]
  instance_charge_type = "PostPaid"
  multi_az_policy      = "PRIORITY"
  spot_strategy        = "NoSpot"
  tags = {
    managed-for          = "ml-platform"
    "poolwright:address" = "alibaba.hangzhou/terraform/alicloud_cs_kubernetes_node_pool/aliyun-a100--main"
    "poolwright:fleet"   = "acme"
    "poolwright:spec"    = "sha256:ce02f7f415738abacceef4716846b89efbb2a1e3cd69fd77879ea735117503db"
  }

  labels {
    key   = "cloud-provider"
    value = "aliyun"
  }

  labels {
    key   = "cost-tier"
    value = "high-performance"
  }

  labels {
    key   = "gpu-type"
    value = "nvidia-a100"
  }

  labels {
    key   = "poolwright.dev/cost-tier"
    value = "high-performance"
  }

  labels {
    key   = "poolwright.dev/flavor"
    value = "aliyun-a100"
  }

  labels {
    key   = "poolwright.dev/pool"
    value = "aliyun-a100"
  }

  labels {
    key   = "poolwright.dev/tier"
    value = "on-demand"
  }

  lifecycle {
    ignore_changes = [desired_size]
  }

  scaling_config {
    enable   = true
    max_size = 8
    min_size = 0
    type     = "gpu"
  }
}
