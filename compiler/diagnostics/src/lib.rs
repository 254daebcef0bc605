//! What went wrong, where, and what to do about it.
//!
//! A [`Diagnostic`] is a value: a stable code, one sentence, labelled spans, notes, helps and fixes. Every
//! crate makes them; only the renderers in [`render`] turn them into text, and only the binary prints that.
//! This crate knows nothing about the language: no syntax tree, no values, no files on disk.
//!
//! Enter at [`Diagnostic`]; a file's text becomes known to the renderers through a [`SourceMap`].

mod code;
mod diagnostic;
mod edits;
mod gather;
pub mod render;
mod source;
mod suggest;

pub use code::{Code, CodeInfo};
pub use diagnostic::{Applicability, Diagnostic, Edit, Fix, Frame, Label, Severity};
pub use edits::apply;
pub use source::{FileId, LineColumn, SourceFile, SourceMap, Span};
pub use suggest::{beside, did_you_mean, suggestion_help};
