#~ PW9001
# What is said of addresses is checked; no plan of this version acts on it.
moved {
  from = queue.batches
  to   = queue.batch
}

removed {
  from    = queue.gone
  destroy = false
}

import {
  to = queue.batch
  id = "kubernetes.eks/kueue.x-k8s.io/ClusterQueue/batch"
}
