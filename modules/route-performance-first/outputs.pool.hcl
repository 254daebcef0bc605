output "route" {
  value       = route.this
  description = "the route, for `queue.route`"
}
