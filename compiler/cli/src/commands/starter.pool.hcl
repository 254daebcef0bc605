# A fleet to start from: one Slurm cluster of four H100 hosts, one queue. Change the names, then run `poolwright plan`.

fleet {
  name = "starter"
}

# Where objects live. This one is a folder, so that everything works offline; include its poolwright.conf from slurm.conf.
target "slurm" "hpc" {
  directory  = "live/hpc"
  version    = "24.11"
  region     = "here"
  accounting = true
}

# How capacity is bought, and what an hour of it costs.
tier "owned" {
  kind      = "owned"
  ownership = { price = "$1.90/gpu/h" }
}

# Capacity of one kind in one cluster.
pool "h100" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  node        = { gpus = 8, sockets = 2, cores = 56, threads = 2, memory = "2000GiB" }
  hosts       = "gpu[001-004]"
}

# Who pays, what kind of work it is, and the name that people submit to.
tenant "research" {
  accounts = ["research"]
  budget   = "$50000/month"
}

class "train" {
  priority = 100
  limits   = { run_time = "48h" }
}

queue "train" {
  class   = class.train
  tenants = [tenant.research]
  pools   = [pool.h100]
  default = true
}

# What must hold before a change is applied.
policy "tenant-budget" {
  subject  = "tenant"
  when     = self.budget != null
  require  = self.cost.monthly.ceiling <= self.budget
  severity = "deny"
  message  = "${self.name} can spend up to ${self.cost.monthly.ceiling}, its budget is ${self.budget}"
}
