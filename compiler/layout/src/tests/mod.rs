//! Whole layouts: the quickstart by name and number, and the golden file.

mod quickstart;
