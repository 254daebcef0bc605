# Pools of GPU nodes of one EKS cluster, spot and on demand. Amazon EC2 tells of the end of a spot instance two minutes
# before it (EC2 User Guide, "Spot Instance interruption notices").
tier "spot" {
  kind         = "spot"
  interruption = { notice = "2m", mean_time = var.spot_mean_time }
}

tier "on-demand" { kind = "on-demand" }

pool "gpu" {
  for_each       = var.pools
  name           = each.key
  tier           = each.value.market == "on-demand" ? tier.on-demand : tier.spot
  cost_tier      = each.value.cost_tier
  cluster        = var.cluster
  provision      = var.account
  fabric         = var.fabric
  instance_types = each.value.instance_types
  zones          = each.value.zones
  nodes          = each.value.nodes
  max_price      = each.value.market == "on-demand" ? null : each.value.max_price
  utilisation    = each.value.utilisation
  idle_after     = var.idle_after
  taints         = var.taint == null ? [] : [var.taint]
}
