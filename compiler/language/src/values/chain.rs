//! Each value is found out once; a value that needs itself is an error that shows the circle.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::Value;

use super::Values;
use crate::codes;
use crate::instances::Block;

/// How many references may hang on each other; far above any real fleet, far below the stack's end.
const LONGEST_CHAIN: usize = 100;

/// What was evaluated: none where it failed, which has been reported.
pub(super) type Known = BTreeMap<Key, Option<Value>>;

/// What can be referred to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// An attribute of a block: address and name.
    Attribute(Arc<str>, Arc<str>),
    /// A local value: the module's path and the name.
    Local(Arc<str>, Arc<str>),
    /// An input of a module: the module's path and the name.
    Variable(Arc<str>, Arc<str>),
    /// A result of a module: the module's path and the name.
    Output(Arc<str>, Arc<str>),
    /// Which blocks a declaration stands for, by its address; or which are in a block.
    Instances(Arc<str>),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |path: &str| if path.is_empty() { String::new() } else { format!("{path}.") };
        match self {
            Self::Attribute(address, name) => write!(f, "{address}.{name}"),
            Self::Local(path, name) => write!(f, "{}local.{name}", within(path)),
            Self::Variable(path, name) => write!(f, "{}var.{name}", within(path)),
            Self::Output(path, name) if path.is_empty() => write!(f, "output.{name}"),
            Self::Output(path, name) => write!(f, "{path}.{name}"),
            Self::Instances(address) => write!(f, "{address}"),
        }
    }
}

impl<'t> Values<'_, 't> {
    /// What is known of a key.
    pub(super) fn recall(&self, key: &Key) -> Option<Option<Value>> {
        let own = self.known.borrow().get(key).cloned();
        own.or_else(|| self.before.and_then(|before| before.get(key).cloned()))
    }

    /// The value behind a key, evaluated once. `of` is the block that it belongs to, if there is one.
    pub(super) fn once(
        &self,
        key: Key,
        span: Span,
        of: Option<&Arc<Block<'t>>>,
        compute: impl FnOnce() -> Option<Value>,
    ) -> Result<Value, Box<Diagnostic>> {
        if let Some(known) = self.recall(&key) {
            return known.ok_or_else(follows);
        }
        let value = self.linked(&key, span, of, compute)?;
        self.known.borrow_mut().insert(key, value.clone());
        value.ok_or_else(follows)
    }

    /// Takes the value of an input away: what is wrong with it has been said, and so has what follows from it. What its
    /// module has found out so far may rest on it, and is found out anew.
    pub(super) fn forget(&self, module: &Arc<str>, input: &Arc<str>) {
        let mut known = self.known.borrow_mut();
        let within = |address: &str| poolwright_model::Address::new(address).split_module().0 == &**module;
        known.retain(|key, _| match key {
            Key::Attribute(address, _) => !within(address),
            Key::Local(path, _) | Key::Output(path, _) => path != module,
            Key::Variable(..) | Key::Instances(_) => true,
        });
        known.insert(Key::Variable(module.clone(), input.clone()), None);
    }

    /// Does some work that a key stands for. A circle and a long chain are errors.
    pub(super) fn linked<T>(
        &self,
        key: &Key,
        span: Span,
        of: Option<&Arc<Block<'t>>>,
        work: impl FnOnce() -> T,
    ) -> Result<T, Box<Diagnostic>> {
        let position = self.chain.borrow().iter().position(|(open, _)| open == key);
        if let Some(position) = position {
            return Err(Box::new(self.cycle(position, span)));
        }
        if self.chain.borrow().len() >= LONGEST_CHAIN {
            let message = format!("a chain of more than {LONGEST_CHAIN} references ends at `{key}`");
            let diagnostic = Diagnostic::error(codes::DEEP_CHAIN, message)
                .at(span, "too far from its beginning")
                .with_help(
                    "shorten it: let later ones name its first value, or put the values into one list",
                );
            return Err(Box::new(diagnostic));
        }
        self.chain.borrow_mut().push((key.clone(), span));
        let done = match of {
            Some(block) => self.within(block, work),
            None => work(),
        };
        self.chain.borrow_mut().pop();
        Ok(done)
    }

    fn cycle(&self, position: usize, span: Span) -> Diagnostic {
        let chain = self.chain.borrow();
        let circle: Vec<String> = chain.iter().skip(position).map(|(key, _)| key.to_string()).collect();
        let first = circle.first().cloned().unwrap_or_default();
        let loop_text =
            circle.iter().chain([&first]).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" → ");
        let message = match circle.as_slice() {
            [only] => format!("`{only}` depends on itself"),
            _ => format!("values depend on each other in a circle: {loop_text}"),
        };
        let mut diagnostic =
            Diagnostic::error(codes::CYCLE, message).at(span, format!("needs `{first}` again"));
        for (key, place) in chain.iter().skip(position + 1) {
            diagnostic = diagnostic.also(*place, format!("needs `{key}`"));
        }
        diagnostic.with_help("break the circle: give one of them a value of its own")
    }
}

/// An error that only follows from one that has been reported.
pub(super) fn follows() -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::FOLLOWS, "follows from another error"))
}
