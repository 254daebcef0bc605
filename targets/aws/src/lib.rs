//! poolwright-target-aws
