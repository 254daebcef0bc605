//! poolwright-router
