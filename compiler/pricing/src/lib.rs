//! poolwright-pricing
