//! poolwright-model
