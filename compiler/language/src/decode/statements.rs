//! `moved`, `removed` and `import`: what is said of addresses. The blocks of these addresses need not be there.

use poolwright_diagnostics::{Diagnostic, Span, did_you_mean, suggestion_help};
use poolwright_expression::Value;
use poolwright_model::Address;
use poolwright_model::program::{Import, Moved, Removed};
use poolwright_syntax::tree;

use crate::codes;
use crate::instances::{Block, Key};
use crate::resolve::{REFERENCED, constant};
use crate::values::Values;

pub(super) fn moved<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<Moved> {
    let complete = values.attributes(block).complete;
    let (from, to) = (address(values, block, "from"), address(values, block, "to"));
    let ((from, from_span), (to, to_span)) = (from?, to?);
    let fault = |message: String, at: Span, label: &str, help: &str| {
        values.report(
            Diagnostic::error(codes::STATEMENT, message).at(at, label.to_owned()).with_help(help.to_owned()),
        );
    };
    if from == to {
        fault(
            format!("`{from}` is moved to where it is"),
            to_span,
            "the same address",
            "remove the `moved` block",
        );
        return None;
    }
    if kind(&from) != kind(&to) {
        fault(
            format!("`{from}` cannot become `{to}`"),
            to_span,
            "a block of another kind",
            "only a block of the same kind takes over its objects; otherwise let one be destroyed and the other made",
        );
        return None;
    }
    if there(values, from.as_str()) {
        fault(
            format!("`{from}` is said to have moved and is still there"),
            from_span,
            "a block has this address",
            "remove the `moved` block, or the old block",
        );
        return None;
    }
    if !there(values, to.as_str()) {
        let help = alike(values, &to).unwrap_or_else(|| {
            "write the address that it has today; one that is gone is `removed`".to_owned()
        });
        fault(
            format!("`{from}` is said to be `{to}` now, and there is no such block"),
            to_span,
            "no block has this address",
            &help,
        );
        return None;
    }
    complete.then(|| Moved { from, to, span: block.tree.header })
}

pub(super) fn removed<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<Removed> {
    let attributes = values.attributes(block);
    let (from, span) = address(values, block, "from")?;
    if there(values, from.as_str()) {
        values.report(
            Diagnostic::error(codes::STATEMENT, format!("`{from}` is said to be gone and is still there"))
                .at(span, "a block has this address")
                .with_help("remove the `removed` block, or the other one"),
        );
        return None;
    }
    let destroy = attributes.values.get("destroy") == Some(&Value::Bool(true));
    attributes.complete.then(|| Removed { from, destroy, span: block.tree.header })
}

pub(super) fn import<'t>(values: &Values<'_, 't>, block: &Block<'t>) -> Option<Import> {
    let attributes = values.attributes(block);
    let (to, span) = address(values, block, "to")?;
    if !there(values, to.as_str()) {
        values.report(
            Diagnostic::error(
                codes::STATEMENT,
                format!("an object is to become that of `{to}`, which is not there"),
            )
            .at(span, "no block has this address")
            .with_help(alike(values, &to).unwrap_or_else(|| "declare the block first".to_owned())),
        );
        return None;
    }
    let Some(Value::String(id)) = attributes.values.get("id") else { return None };
    if id.split('/').count() < 4 || !id.split('/').next().is_some_and(|target| target.contains('.')) {
        values.report(
            Diagnostic::error(codes::STATEMENT, format!("`{id}` is no address of an object"))
                .at(block.attribute("id").map_or(block.tree.header, |id| id.value.span), "not an address")
                .with_help("KIND.TARGET/GROUP/KIND/[NAMESPACE/]NAME, as a plan prints it: `kubernetes.eks/kueue.x-k8s.io/ClusterQueue/train`"),
        );
        return None;
    }
    attributes.complete.then(|| Import { to, id: id.to_string(), span: block.tree.header })
}

/// Addresses of blocks of the same kind that are spelt alike.
fn alike(values: &Values<'_, '_>, address: &Address) -> Option<String> {
    let kind = kind(address);
    let blocks = values.blocks.of_kind(kind.split('.').next().unwrap_or_default());
    let known: Vec<&str> = blocks.iter().map(|block| &*block.address).collect();
    if did_you_mean(address.as_str(), known.iter().copied()).is_empty() {
        return None;
    }
    suggestion_help("block", address.as_str(), known)
}

/// Whether a block has an address, a lot that its pool is too.
fn there(values: &Values<'_, '_>, address: &str) -> bool {
    values.blocks.get(address).is_some()
        || address.strip_suffix(".lot.main").is_some_and(|pool| values.blocks.get(pool).is_some())
}

/// `pool` of `module.edge["fra"].pool.gpu["a"]`; of a lot `lot`.
fn kind(address: &Address) -> String {
    let mut plain = String::new();
    let mut depth = 0_u32;
    for character in address.as_str().chars() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            other if depth == 0 => plain.push(other),
            _ => {}
        }
    }
    let parts: Vec<&str> = plain.split('.').collect();
    let kinds = parts.chunks(2).filter_map(|pair| pair.first().copied()).filter(|kind| *kind != "module");
    kinds.collect::<Vec<_>>().join(".")
}

/// The address that an attribute writes, as that of the whole fleet, and where it stands.
fn address<'t>(values: &Values<'_, 't>, block: &Block<'t>, name: &str) -> Option<(Address, Span)> {
    let written = block.attribute(name)?;
    let span = written.value.span;
    let path = values.blocks.module(block.module).path.clone();
    match spelt(&written.value) {
        Some(own) if path.is_empty() => Some((Address::new(own), span)),
        Some(own) => Some((Address::new(format!("{path}.{own}")), span)),
        None => {
            let diagnostic =
                Diagnostic::error(codes::STATEMENT, format!("`{name}` is no address of a block"))
                    .at(span, "not an address");
            values.report(match first_alike(&written.value) {
                Some(kind) => diagnostic.with_help(format!("it begins with the kind of block: `{kind}`")),
                None => diagnostic.with_help(
                    "write it without quotes: `pool.a100`, `pool.gpu[\"a\"]`, `module.edge.pool.x`",
                ),
            });
            None
        }
    }
}

/// The kind of block that the first name of something probably is.
fn first_alike(expr: &tree::Expr) -> Option<&'static str> {
    let tree::ExprKind::Traversal(base, _) = &expr.kind else { return None };
    let tree::ExprKind::Name(root) = &base.kind else { return None };
    did_you_mean(&root.text, REFERENCED).first().copied()
}

fn spelt(expr: &tree::Expr) -> Option<String> {
    let tree::ExprKind::Traversal(base, steps) = &expr.kind else { return None };
    let tree::ExprKind::Name(root) = &base.kind else { return None };
    REFERENCED.contains(&&*root.text).then_some(())?;
    let mut text = root.text.to_string();
    for step in steps {
        match step {
            tree::Step::Attribute(name) => {
                text.push('.');
                text.push_str(&name.text);
            }
            tree::Step::Index(index) => match constant(index)? {
                Value::String(key) => text.push_str(&Key::Text(key).bracketed()),
                Value::Number(number) => {
                    let index = number.to_u64().and_then(|index| usize::try_from(index).ok())?;
                    text.push_str(&Key::Index(index).bracketed());
                }
                _ => return None,
            },
            _ => return None,
        }
    }
    Some(text)
}
