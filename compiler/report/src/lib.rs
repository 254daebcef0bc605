//! poolwright-report
