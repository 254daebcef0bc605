//! poolwright-target-alibaba
