#~ PW4040
queue "more" {
  class   = class.batch
  tenants = [tenant.nlp]
  pools   = [pool.hpc]

  extra = {
    slurm      = { Partition = { LLN = "YES", maxtime = "1:00:00" }, Node = { Weight = 7 } }
    kubernetes = { ClusterQueue = { spec = { queueingStrategy = "StrictFIFO", admissionScope = {} }, metadata = { labels = {} } }, ClusterQuue = {} }
    nomad      = { Job = {} }
  }
}

pool "more" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "h[1-4]"
  extra       = { slurm = { Node = { Weight = 7 } }, gcp = { google_container_node_pool = { max_pods_per_node = 32 } } }
}
