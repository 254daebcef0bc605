//! poolwright-catalog
