//! A bare word that names nothing: what was probably meant, by what its place takes.

use std::sync::Arc;

use poolwright_diagnostics::{Applicability, Diagnostic, Edit, Span, did_you_mean};
use poolwright_expression::Type;
use poolwright_syntax::tree;

use crate::codes;
use crate::collect::{Declaration, Declared};
use crate::resolve::{REFERENCED, Resolver};

/// What people write for a bool elsewhere (YAML, INI files, Python).
const TRUE: [&str; 6] = ["yes", "on", "True", "TRUE", "Yes", "On"];
const FALSE: [&str; 6] = ["no", "off", "False", "FALSE", "No", "Off"];

/// What the elements of a list or map have to be.
pub(crate) fn element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::List(element) | Type::Set(element) | Type::Map(element) => Some(element),
        Type::OneOf(types) => types.iter().find_map(element),
        _ => None,
    }
}

/// What the value of an object's key has to be.
pub(crate) fn field<'y>(ty: &'y Type, key: Option<&str>) -> Option<&'y Type> {
    match ty {
        Type::Object(object) => {
            object.fields.iter().find(|field| Some(&*field.name) == key).map(|field| &field.ty)
        }
        Type::Map(element) => Some(element),
        Type::OneOf(types) => types.iter().find_map(|ty| field(ty, key)),
        _ => None,
    }
}

/// Whether a type, or one of those that it may be, is as asked.
fn any(ty: &Type, is: &dyn Fn(&Type) -> bool) -> bool {
    match ty {
        Type::OneOf(types) => types.iter().any(|ty| any(ty, is)),
        ty => is(ty),
    }
}

/// Whether a reference to a block may stand at a place.
pub(crate) fn takes_reference(ty: &Type) -> bool {
    any(ty, &|ty| matches!(ty, Type::Block(_) | Type::Any))
}

/// The words that a place takes.
fn words_of(ty: &Type) -> Vec<&str> {
    match ty {
        Type::Enum(words) => words.iter().map(|word| &**word).collect(),
        Type::OneOf(types) => types.iter().flat_map(words_of).collect(),
        _ => Vec::new(),
    }
}

/// What to write for an accelerator that neither a block nor the catalogue has under this name.
pub(crate) fn accelerators_like(blocks: &Declared<'_>, name: &str) -> String {
    let declared: Vec<&str> = blocks.of_kind("accelerator").map(|block| &*block.label).collect();
    let mut similar = did_you_mean(name, declared);
    // A block of one's own that is spelt alike is meant rather than a model of the catalogue.
    if similar.is_empty() {
        similar = poolwright_catalog::similar_accelerators(name);
    }
    if similar.is_empty() {
        return "`poolwright catalog accelerators` lists them".to_owned();
    }
    let similar: Vec<String> = similar.iter().map(|name| format!("accelerator.{name}")).collect();
    format!("write {}", quoted(&similar))
}

/// Adds what to write instead of a text where a reference to one of these kinds is wanted.
pub(crate) fn reference_for_text(
    blocks: &Declared<'_>,
    kinds: &[&str],
    text: &str,
    span: Span,
    diagnostic: Diagnostic,
) -> Diagnostic {
    if kinds == ["accelerator"] {
        let name = text.strip_prefix("accelerator.").unwrap_or(text);
        let declared = blocks.of_kind("accelerator").any(|block| &*block.label == name);
        return match declared || poolwright_catalog::accelerator(name).is_some() {
            true => write(diagnostic, span, &format!("accelerator.{name}")),
            false => diagnostic.with_help(accelerators_like(blocks, name)),
        };
    }
    let fits = |kind: &str| kinds.is_empty() || kinds.iter().any(|wanted| of_kind(kind, wanted));
    let named = |block: &&Arc<Declaration<'_>>| {
        (&*block.label == text || &*block.declared == text) && fits(block.kind())
    };
    let found: Vec<&Arc<Declaration<'_>>> = blocks.top.values().filter(named).collect();
    match found.as_slice() {
        [only] => write(diagnostic, span, &only.declared),
        _ => {
            let known = blocks.top.values().filter(|block| fits(block.kind()));
            let known: Vec<String> = known.map(|block| format!("`{}`", block.declared)).take(8).collect();
            let help = match (known.is_empty(), kinds.first()) {
                (true, Some(kind)) => {
                    format!(
                        "a reference has no quotes; declare one: `{} \"…\" {{ … }}`",
                        kind.replace('.', " ")
                    )
                }
                _ => format!("a reference has no quotes: {}", known.join(", ")),
            };
            diagnostic.with_help(help)
        }
    }
}

/// Whether a block's kind is the wanted one; every target is a `target`.
fn of_kind(kind: &str, wanted: &str) -> bool {
    kind == wanted || kind.split('.').next() == Some(wanted)
}

fn write(diagnostic: Diagnostic, span: Span, text: &str) -> Diagnostic {
    diagnostic.with_fix(
        format!("write `{text}`"),
        Applicability::Safe,
        vec![Edit { span, text: text.to_owned() }],
    )
}

/// What an expression may begin with, besides the kinds of blocks and the names that its place binds.
const ROOTS: [&str; 6] = ["local", "var", "fleet", "path", "each", "count"];

/// The diagnostic for a name that stands for nothing. `leads`: whether parts of it are named, `x.y`; then it is no text
/// that lacks its quotes.
pub(crate) fn unknown_name(resolver: &Resolver<'_, '_>, name: &tree::Ident, leads: bool) -> Diagnostic {
    let text: &str = &name.text;
    let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, format!("`{text}` means nothing here"))
        .at(name.span, "unknown name");
    if let Some((before, after)) = text.split_once('-')
        && (resolver.bound.iter().any(|name| **name == *before)
            || after.starts_with(|c: char| c.is_ascii_digit()))
        && resolver
            .wanted
            .is_none_or(|wanted| matches!(wanted, Type::Number | Type::Integer { .. } | Type::Any))
    {
        return diagnostic
            .with_help(format!("a hyphen belongs to a name; to subtract write `{before} - {after}`"));
    }
    match resolver.wanted {
        _ if leads && root_like(resolver, text).is_some() => guessed(resolver, text, diagnostic),
        Some(wanted) if !matches!(wanted, Type::Any) => meant(resolver, wanted, text, name.span, diagnostic),
        _ => guessed(resolver, text, diagnostic),
    }
}

/// Adds what was meant at a place whose type is known.
fn meant(
    resolver: &Resolver<'_, '_>,
    wanted: &Type,
    text: &str,
    span: Span,
    diagnostic: Diagnostic,
) -> Diagnostic {
    let words = words_of(wanted);
    if words.contains(&text) {
        return write(diagnostic, span, &format!("\"{text}\""));
    }
    if any(wanted, &|ty| matches!(ty, Type::Bool)) {
        let truth = if TRUE.contains(&text) {
            Some("true")
        } else if FALSE.contains(&text) {
            Some("false")
        } else {
            None
        };
        return match truth {
            Some(truth) => write(diagnostic, span, truth),
            None => diagnostic.with_help("write `true` or `false`"),
        };
    }
    if let Some(close) = did_you_mean(text, words.iter().copied()).first() {
        return diagnostic
            .with_help(format!("a word stands in quotes; a similar one is taken here: `\"{close}\"`"));
    }
    if takes_reference(wanted) {
        let named = blocks_named(resolver, text, Some(wanted));
        return match named.as_slice() {
            [only] => write(diagnostic, span, only),
            [] => match kinds(wanted).first() {
                Some(kind) => {
                    diagnostic.with_help(format!("{} is wanted here: write `{kind}.NAME`", wanted.describe()))
                }
                None => guessed(resolver, text, diagnostic),
            },
            several => diagnostic.with_help(format!("to name the block write {}", quoted(several))),
        };
    }
    if any(wanted, &|ty| matches!(ty, Type::String | Type::Name | Type::Path | Type::Hosts | Type::Pattern)) {
        return diagnostic.with_help(format!("text stands in quotes: `\"{text}\"`"));
    }
    diagnostic.with_help(format!("{} is wanted here", wanted.describe()))
}

/// The name that an expression may begin with and that is spelt most alike.
fn root_like(resolver: &Resolver<'_, '_>, text: &str) -> Option<String> {
    let bound = resolver.bound.iter().map(|name| &**name);
    let roots = REFERENCED.iter().copied().chain(ROOTS).chain(bound);
    did_you_mean(text, roots).first().map(|name| (*name).to_owned())
}

/// Adds what may have been meant at a place that takes anything.
fn guessed(resolver: &Resolver<'_, '_>, text: &str, diagnostic: Diagnostic) -> Diagnostic {
    // The commonest mistake: a bare word where a string or a reference was meant.
    let named = blocks_named(resolver, text, None);
    if !named.is_empty() {
        return diagnostic.with_help(format!("to name the block write {}", quoted(&named)));
    }
    match root_like(resolver, text) {
        Some(close) => {
            diagnostic.with_help(format!("a name with a similar spelling means something here: `{close}`"))
        }
        None => diagnostic.with_help(format!("text stands in quotes: `\"{text}\"`")),
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}

/// The kinds of blocks that a place takes.
pub(crate) fn kinds(ty: &Type) -> Vec<&str> {
    match ty {
        Type::Block(kinds) => kinds.iter().map(|kind| &**kind).collect(),
        Type::OneOf(types) => types.iter().flat_map(kinds).collect(),
        _ => Vec::new(),
    }
}

/// Addresses of blocks that have a name, of the kinds that a place takes.
fn blocks_named(resolver: &Resolver<'_, '_>, text: &str, wanted: Option<&Type>) -> Vec<String> {
    let kinds = wanted.map(kinds).unwrap_or_default();
    let fits = |kind: &str| kinds.is_empty() || kinds.iter().any(|wanted| of_kind(kind, wanted));
    let named = resolver.blocks.top.values().filter(|block| &*block.label == text && fits(block.kind()));
    named.map(|block| block.declared.to_string()).take(3).collect()
}
