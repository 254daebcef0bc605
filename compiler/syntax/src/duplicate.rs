//! Names that stand twice: attributes in a block, keys in an object.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, Span};

use crate::item_faults;
use crate::tree::{Body, ExprKind, ObjectItem, ObjectKey};

/// Reports attributes that a body sets twice. The bodies of its blocks are checked when they are read.
pub(crate) fn attributes(body: &Body, found: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for attribute in body.attributes() {
        let name = &attribute.name;
        match first.get(name.text.as_ref()) {
            Some(earlier) => found.push(item_faults::duplicate_attribute(name, *earlier)),
            None => {
                first.insert(&name.text, name.span);
            }
        }
    }
}

/// Reports keys that an object has twice, of those that are plain text.
pub(crate) fn keys(items: &[ObjectItem], found: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for item in items {
        let (text, span) = match &item.key {
            ObjectKey::Name(name) => (name.text.as_ref(), name.span),
            ObjectKey::Expr(expr) => match &expr.kind {
                ExprKind::String(text) | ExprKind::Number(text) => (text.as_ref(), expr.span),
                _ => continue,
            },
        };
        match first.get(text) {
            Some(earlier) => found.push(item_faults::duplicate_key(text, span, *earlier)),
            None => {
                first.insert(text, span);
            }
        }
    }
}
