//! poolwright-target
