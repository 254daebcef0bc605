//! poolwright-policies
