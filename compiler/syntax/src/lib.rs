//! Text to tree. Parsing never fails: it returns what it understood, and a diagnostic for everything else.
//!
//! Only this crate names `hcl_edit`, so that the parser can be replaced without a word elsewhere. It knows
//! no schema: a block may be called anything here. It must not evaluate, resolve names or print.
//!
//! Enter at [`parse`]; the tree is in [`tree`].

pub mod tree;
