//! A ladder as text.
