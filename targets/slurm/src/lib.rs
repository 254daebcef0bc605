//! poolwright-target-slurm
