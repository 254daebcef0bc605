//! poolwright-target-kubernetes
