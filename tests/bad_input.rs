//! Inputs that no editor would write.
