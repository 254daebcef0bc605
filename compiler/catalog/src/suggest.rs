//! What is said of a name that the catalogue does not have, and which one was probably meant.

use poolwright_diagnostics::{Diagnostic, Span, did_you_mean, suggestion_help};

use crate::{accelerators, codes, instances};

/// The most names that are offered: of no model are there more forms.
const MOST: usize = 4;

/// Accelerators that a name probably means, the likeliest first, at most four: `h100` is `nvidia-h100-80gb-sxm`, or
/// one of its cards.
///
/// Case and separators do not count. Each part of the name must be in the accelerator's; names that begin with it come
/// first, then those that have it as a part by itself. Without any, those that are spelt alike.
#[must_use]
pub fn similar_accelerators(name: &str) -> Vec<&'static str> {
    let parts = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|part| !part.is_empty())
            .map(str::to_ascii_lowercase)
            .collect()
    };
    let wanted = parts(name);
    let names = || accelerators().iter().map(|facts| facts.name.as_str());
    let mut found: Vec<(bool, bool, &'static str)> = names()
        .filter(|_| wanted.concat().len() > 1)
        .filter_map(|known| {
            let own = parts(known);
            let joined = own.concat();
            if !wanted.iter().all(|part| joined.contains(part.as_str())) {
                return None;
            }
            let begins = joined.starts_with(&wanted.concat());
            let whole = wanted.iter().all(|part| own.contains(part));
            Some((!whole, !begins, known))
        })
        .collect();
    found.sort_unstable();
    // A part by itself says which is meant: `l4` is not `l40s`.
    let whole = found.iter().any(|(partial, ..)| !partial);
    found.retain(|(partial, ..)| !(whole && *partial));
    if found.is_empty() {
        return did_you_mean(name, names());
    }
    found.into_iter().map(|(.., known)| known).take(MOST).collect()
}

/// The diagnostic for a name that [`crate::accelerator`] does not know. `declared`: names of the fleet's own blocks.
#[must_use]
pub fn unknown_accelerator<'a>(
    name: &str,
    declared: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let message = format!("no accelerator \"{name}\" is declared or in the catalogue");
    let mut close = did_you_mean(name, declared);
    close.extend(similar_accelerators(name));
    let mut diagnostic = Diagnostic::error(codes::UNKNOWN_ACCELERATOR, message).at(span, "not known");
    if !close.is_empty() {
        let close: Vec<String> = close.iter().map(|close| format!("`{close}`")).collect();
        diagnostic = diagnostic.with_help(format!("similar ones exist: {}", close.join(", ")));
    }
    diagnostic
        .with_help(format!("or declare it: accelerator \"{name}\" {{ vendor = \"…\", memory = \"…GiB\" }} on lines of its own"))
        .with_help("the whole list: poolwright catalog accelerators")
}

/// The diagnostic for an instance type that [`crate::instance`] does not know.
#[must_use]
pub fn unknown_instance(provider: &str, instance_type: &str, span: Span) -> Diagnostic {
    let message = format!("the catalogue has no instance type \"{instance_type}\" of {provider}");
    let known = instances().iter().filter(|facts| facts.provider == provider);
    let mut diagnostic = Diagnostic::error(codes::UNKNOWN_INSTANCE_TYPE, message).at(span, "shape not known");
    if let Some(help) =
        suggestion_help("instance type", instance_type, known.map(|facts| facts.instance_type.as_str()))
    {
        diagnostic = diagnostic.with_help(help);
    }
    diagnostic.with_help(
        "or write its shape: node = { gpus = …, cpus = …, memory = \"…GiB\" }, and the pool's accelerator",
    )
}
