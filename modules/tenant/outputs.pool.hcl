output "tenant" {
  value       = tenant.this
  description = "the tenant, for `queue.tenants`"
}

output "gpus" {
  value       = sum([for quota in var.quotas : quota.gpus])
  description = "GPUs guaranteed, over all pools"
}
