//! poolwright-driver
