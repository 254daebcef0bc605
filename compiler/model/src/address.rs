//! Names of blocks: `pool.aws-a100-spot`, `pool.x.lot.r0`, `target.kubernetes.eks`.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The address of a block (CONTRACT §5). Ordered as text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Address(Arc<str>);

impl Address {
    /// An address from its text.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part: the block's own label, with its key if it is one of several.
    #[must_use]
    pub fn label(&self) -> &str {
        self.dots().last().and_then(|at| self.0.get(at + 1..)).unwrap_or(&self.0)
    }

    /// The address of a block nested in this one: `pool.x` + `lot`, `r0` gives `pool.x.lot.r0`.
    #[must_use]
    pub fn nested(&self, kind: &str, label: &str) -> Self {
        Self::new(format!("{}.{kind}.{label}", self.0))
    }

    /// The pool of a lot's address; a pool's address is itself.
    #[must_use]
    pub fn pool(&self) -> Self {
        match self.nested_at("lot") {
            Some(at) => Self::new(self.0.get(..at).unwrap_or(&self.0)),
            None => self.clone(),
        }
    }

    /// The path of the module that the block stands in, and the block's address in it: `module.edge["fra"]` and
    /// `pool.x`. In the fleet's own files the path is empty.
    #[must_use]
    pub fn split_module(&self) -> (&str, &str) {
        let (mut rest, mut end) = (&*self.0, 0);
        while rest.starts_with("module.") {
            // `module`, its label with its key, and what follows.
            let Some(length) = dots(rest).nth(1) else { break };
            end += length + 1;
            rest = self.0.get(end..).unwrap_or_default();
        }
        (self.0.get(..end.saturating_sub(1)).unwrap_or_default(), rest)
    }

    /// The paths of the modules that the block stands in, outermost first: `module.a` and `module.a.module.b`.
    #[must_use]
    pub fn modules(&self) -> Vec<&str> {
        let (path, _) = self.split_module();
        if path.is_empty() {
            return Vec::new();
        }
        // Before every other dot a module ends.
        let ends = dots(path).skip(1).step_by(2).chain([path.len()]);
        ends.filter_map(|end| path.get(..end)).collect()
    }

    /// The kind of the block: `pool`, `lot`, `step`, `target.kubernetes`.
    #[must_use]
    pub fn kind(&self) -> &str {
        for nested in ["lot", "step"] {
            if self.nested_at(nested).is_some() {
                return nested;
            }
        }
        let (_, own) = self.split_module();
        let wanted = usize::from(own.starts_with("target."));
        dots(own).nth(wanted).and_then(|at| own.get(..at)).unwrap_or(own)
    }

    /// The address without the kind, as maps of blocks have it: `aws-a100`, `gpu["a"]`, `module.edge.x`.
    #[must_use]
    pub fn without_kind(&self) -> String {
        let (module, own) = self.split_module();
        let kind = own.split('.').next().unwrap_or(own);
        let own = own.strip_prefix(kind).and_then(|own| own.strip_prefix('.')).unwrap_or(own);
        if module.is_empty() { own.to_owned() } else { format!("{module}.{own}") }
    }

    /// One word for the block that no other of its kind has: labels and keys, joined by `--`. What a file system might
    /// not hold is percent-escaped.
    #[must_use]
    pub fn flat(&self) -> String {
        let (module, own) = self.split_module();
        let skipped = dots(own).nth(usize::from(own.starts_with("target.")));
        let own = skipped.and_then(|at| own.get(at + 1..)).unwrap_or(own);
        let mut words = Vec::new();
        for (index, part) in parts(module).chain([own]).enumerate() {
            // Of a module's path every other part is the word `module`.
            if part != "module" || index % 2 == 1 {
                words.push(escaped(
                    &part.replace("[\"", "--").replace("\"]", "").replace('[', "--").replace(']', ""),
                ));
            }
        }
        words.join("--")
    }

    /// Where `.lot.` begins, outside of keys.
    fn nested_at(&self, kind: &str) -> Option<usize> {
        let (_, own) = self.split_module();
        let offset = self.0.len() - own.len();
        let is_kind = |at: &usize| {
            let rest = own.get(at + 1..).unwrap_or_default();
            rest.strip_prefix(kind).is_some_and(|rest| rest.starts_with('.'))
        };
        // The first dot ends the kind: a pool may be called `lot`.
        dots(own).skip(1).find(is_kind).map(|at| at + offset)
    }

    fn dots(&self) -> impl Iterator<Item = usize> + '_ {
        dots(&self.0)
    }
}

/// Where the dots of an address are that stand in no key.
fn dots(text: &str) -> impl Iterator<Item = usize> + '_ {
    let (mut quoted, mut escaped) = (false, false);
    text.char_indices().filter_map(move |(at, character)| {
        let inside = quoted;
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        (!inside && character == '.').then_some(at)
    })
}

/// The parts of an address between its dots.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let ends: Vec<usize> = dots(text).chain([text.len()]).collect();
    ends.into_iter().filter_map(move |end| {
        let part = text.get(start..end);
        start = end + 1;
        part.filter(|part| !part.is_empty())
    })
}

fn escaped(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            found.push(char::from(byte));
        } else {
            found.push_str(&format!("%{byte:02X}"));
        }
    }
    found
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Address {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl std::borrow::Borrow<str> for Address {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_addresses() {
        for (address, modules) in [
            ("pool.x", &[][..]),
            ("module.a.pool.x", &["module.a"]),
            ("module.a[\"b.c\"].module.d[0].pool.x", &["module.a[\"b.c\"]", "module.a[\"b.c\"].module.d[0]"]),
            (
                "module.a.module.b.module.c.pool.x",
                &["module.a", "module.a.module.b", "module.a.module.b.module.c"],
            ),
        ] {
            assert_eq!(Address::new(address).modules(), modules, "{address}");
        }
    }

    #[test]
    fn parts_of_addresses() {
        for (address, module, label, kind, pool, plain, flat) in [
            ("pool.x", "", "x", "pool", "pool.x", "x", "x"),
            ("pool.x.lot.r0", "", "r0", "lot", "pool.x", "x.lot.r0", "x.lot.r0"),
            ("pool.lot", "", "lot", "pool", "pool.lot", "lot", "lot"),
            (
                "target.kubernetes.eks",
                "",
                "eks",
                "target.kubernetes",
                "target.kubernetes.eks",
                "kubernetes.eks",
                "eks",
            ),
            (
                "target.kubernetes.c[\"a.b\"]",
                "",
                "c[\"a.b\"]",
                "target.kubernetes",
                "target.kubernetes.c[\"a.b\"]",
                "kubernetes.c[\"a.b\"]",
                "c--a.b",
            ),
            (
                "module.edge[\"f.lot.a\"].pool.gpu[0].lot.r[\"x\"]",
                "module.edge[\"f.lot.a\"]",
                "r[\"x\"]",
                "lot",
                "module.edge[\"f.lot.a\"].pool.gpu[0]",
                "module.edge[\"f.lot.a\"].gpu[0].lot.r[\"x\"]",
                "edge--f.lot.a--gpu--0.lot.r--x",
            ),
            (
                "module.a.module.b.target.slurm.s",
                "module.a.module.b",
                "s",
                "target.slurm",
                "module.a.module.b.target.slurm.s",
                "module.a.module.b.slurm.s",
                "a--b--s",
            ),
            ("fleet", "", "fleet", "fleet", "fleet", "fleet", "fleet"),
        ] {
            let found = Address::new(address);
            assert_eq!(found.split_module().0, module, "{address}");
            assert_eq!(found.label(), label, "{address}");
            assert_eq!(found.kind(), kind, "{address}");
            assert_eq!(found.pool().as_str(), pool, "{address}");
            assert_eq!(found.without_kind(), plain, "{address}");
            assert_eq!(found.flat(), flat, "{address}");
        }
    }
}
