//! Wrong inputs and what is said of them.
