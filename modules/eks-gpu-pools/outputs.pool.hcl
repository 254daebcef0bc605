output "pools" {
  value       = pool.gpu
  description = "all pools by name, for queues, steps and quotas"
}

output "spot" {
  value       = [for name, made in pool.gpu : made if var.pools[name].market == "spot"]
  description = "the spot pools, by name"
}

output "on-demand" {
  value       = [for name, made in pool.gpu : made if var.pools[name].market == "on-demand"]
  description = "the on-demand pools, by name"
}
