//! poolwright-layout
