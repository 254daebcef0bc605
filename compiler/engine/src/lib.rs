//! poolwright-engine
