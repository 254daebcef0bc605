//! Diagnostics as text, one file per format.
