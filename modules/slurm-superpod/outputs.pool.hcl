output "cluster" {
  value       = target.slurm.cluster
  description = "the Slurm cluster"
}

output "pool" {
  value       = pool.h100
  description = "all nodes, for quotas and for queues of your own"
}

output "fabric" {
  value       = fabric.ndr
  description = "the InfiniBand fabric"
}

output "queues" {
  value       = [queue.train, queue.debug]
  description = "the partitions `train` (the default) and `debug`"
}

output "nodes" {
  value       = local.nodes
  description = "how many nodes there are"
}
