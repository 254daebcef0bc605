//! Functions by their usual names.
