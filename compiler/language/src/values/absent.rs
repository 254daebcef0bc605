//! Attributes that are not there: unknown ones, missing ones, and what is written instead.

use std::sync::Arc;

use poolwright_diagnostics::{Applicability, Diagnostic, Edit, Span, did_you_mean, suggestion_help};
use poolwright_expression::Type;
use poolwright_syntax::tree;

use super::shown_kind;
use crate::codes;
use crate::instances::Block;
use crate::schema::{AttributeSchema, Status};

/// A block or object has no such attribute.
pub(crate) fn no_such_part<'n>(
    of: &str,
    name: &str,
    span: Span,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::NO_SUCH_PART, format!("`{of}` has no attribute `{name}`"))
        .at(span, "unknown attribute");
    let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
    match suggestion_help("attribute", name, known.iter().map(String::as_str)) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic.with_help(format!("`{of}` has: {}", list(&known))),
    }
}

pub(super) fn null_for_required(block: &Block<'_>, schema: &AttributeSchema, span: Span) -> Diagnostic {
    Diagnostic::error(
        poolwright_expression::codes::NULL_VALUE,
        format!("`{}` of `{}` is null", schema.name, block.address),
    )
    .at(span, "null is the same as not set, and it is required")
    .with_help(format!("set it to {}", schema.ty.describe()))
}

pub(super) fn unknown_attribute(block: &Block<'_>, written: &tree::Attribute) -> Diagnostic {
    let name: &str = &written.name.text;
    let span = written.name.span;
    let kind = shown_kind(block);
    let diagnostic =
        Diagnostic::error(codes::UNKNOWN_ATTRIBUTE, format!("unknown attribute `{name}` in `{kind}`"));
    if block.schema.nested.iter().any(|nested| nested == name) {
        return diagnostic
            .at(span, "is a block, not an attribute")
            .with_help(format!("write `{name} \"…\" {{ … }}`"));
    }
    // Right word, wrong place: a key of an object, or an attribute of another block.
    let holds = |attribute: &&Arc<AttributeSchema>| match &attribute.ty {
        Type::Object(object) => object.fields.iter().any(|field| &*field.name == name),
        _ => false,
    };
    if let Some(object) = block.schema.attributes.values().find(holds) {
        return diagnostic
            .at(span, format!("is a key of `{}`", object.name))
            .with_help(format!("write `{} = {{ {name} = … }}`", object.name));
    }
    let known: Vec<&str> = block.schema.attributes.keys().map(String::as_str).collect();
    if let Some(closest) = did_you_mean(name, known.iter().copied()).first() {
        return diagnostic.at(span, format!("did you mean `{closest}`?")).with_fix(
            format!("write `{closest}`"),
            Applicability::Safe,
            vec![Edit { span, text: (*closest).to_owned() }],
        );
    }
    let homes: Vec<String> = crate::schema::schema()
        .blocks
        .values()
        .filter(|home| home.attributes.contains_key(name) && home.status != Status::Planned)
        .map(|home| format!("`{}`", home.kind))
        .take(4)
        .collect();
    match homes.as_slice() {
        [] => diagnostic
            .at(span, "not an attribute of this block")
            .with_help(format!("`{kind}` has: {}", known_attributes(block))),
        homes => diagnostic
            .at(span, "an attribute of another block")
            .with_help(format!("move it to the {} that it belongs to", homes.join(" or "))),
    }
}

/// The first attributes of a block, and where the others are listed.
fn known_attributes(block: &Block<'_>) -> String {
    let names = list(&block.schema.order);
    // The page of a block has those of the blocks in it.
    let page = block.schema.kind.split('.').next().unwrap_or_default();
    if names.contains(" more") { format!("{names}, all in docs/reference/{page}.md") } else { names }
}

/// A required attribute that is left to others, and that the fleet cannot be laid out without.
pub(super) fn needed(block: &Block<'_>, schema: &AttributeSchema, spans: &[(Arc<str>, Span)]) -> Diagnostic {
    let name = &schema.name;
    let path = format!("foreign.{name}");
    let span =
        spans.iter().find(|(written, _)| **written == *path).map_or(block.tree.header, |(_, span)| *span);
    Diagnostic::error(
        codes::FOREIGN,
        format!(
            "`{name}` of `{}` is left to others, and the fleet cannot be laid out without it",
            block.address
        ),
    )
    .at(span, "somebody else writes it")
    .also(block.tree.header, format!("needs `{name}`"))
    .with_help(format!("write it too, `{name} = …`: it is then set at creation and left alone"))
}

fn list(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().map(String::as_str).take(12).collect();
    let rest = names.len().saturating_sub(shown.len());
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}

pub(super) fn missing(block: &Block<'_>, schema: &AttributeSchema) -> Diagnostic {
    let name = &schema.name;
    let kind = if schema.is_expression() { "an expression".to_owned() } else { schema.ty.describe() };
    let meaning = if schema.doc.is_empty() { String::new() } else { format!(": {}", schema.doc) };
    let diagnostic =
        Diagnostic::error(codes::MISSING_ATTRIBUTE, format!("`{name}` is missing in `{}`", block.address))
            .at(block.tree.header, format!("needs `{name}`"));
    // Where any attribute is taken, nothing else is said of one that is spelt alike.
    let known = |written: &&tree::Attribute| block.schema.attributes.contains_key(&*written.name.text);
    let alike = |written: &&tree::Attribute| {
        block.schema.open && !known(written) && !did_you_mean(&written.name.text, [name.as_str()]).is_empty()
    };
    if let Some(written) = block.tree.body.attributes().find(alike) {
        return diagnostic
            .also(written.name.span, format!("did you mean `{name}`?"))
            .with_help(format!("write `{name}` instead of `{}`", written.name.text));
    }
    diagnostic.with_help(format!("add `{name} = …`, {kind}{meaning}"))
}
