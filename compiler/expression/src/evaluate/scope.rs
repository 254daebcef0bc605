//! Names bound by the place.

use std::sync::Arc;

use crate::Value;

/// Names bound by the place: `self`, `each`, variables of a `for`. Inner names hide outer ones.
///
/// Cheap to clone and to extend: a scope shares what it was made from.
#[derive(Clone, Debug, Default)]
pub struct Scope(Option<Arc<Binding>>);

#[derive(Debug)]
struct Binding {
    name: Arc<str>,
    value: Value,
    outer: Scope,
}

impl Scope {
    /// This scope with one name more.
    #[must_use]
    pub fn with(&self, name: impl Into<Arc<str>>, value: Value) -> Self {
        Self(Some(Arc::new(Binding { name: name.into(), value, outer: self.clone() })))
    }

    /// The innermost value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let mut scope = self;
        while let Some(binding) = &scope.0 {
            if &*binding.name == name {
                return Some(&binding.value);
            }
            scope = &binding.outer;
        }
        None
    }

    /// All names, innermost first, for suggestions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut scope = self;
        std::iter::from_fn(move || {
            let binding = scope.0.as_ref()?;
            scope = &binding.outer;
            Some(&*binding.name)
        })
    }
}
