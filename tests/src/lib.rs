//! End-to-end and house tests of Poolwright; the crate itself is empty.
