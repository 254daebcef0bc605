//! The blocks of all files: which there are, what they are called, whether they may stand where they stand.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use poolwright_diagnostics::{Applicability, Diagnostic, Edit, Span, suggestion_help};
use poolwright_expression::Type;
use poolwright_syntax::tree;

use crate::codes;
use crate::schema::{AttributeSchema, BlockSchema, Schema, Status};

/// Blocks that people know from Terraform and OpenTofu, and that this language has under no name.
const OF_TERRAFORM: [&str; 4] = ["resource", "provider", "terraform", "data"];

/// Blocks that say what is done, and have no name.
const STATEMENTS: [&str; 3] = ["moved", "removed", "import"];

/// Blocks that may stand in any other.
const ANYWHERE: [&str; 2] = ["precondition", "postcondition"];

/// A block as its file declares it, with the blocks in it. With `for_each` or `count` it stands for any number of
/// blocks (see [`crate::instances`]).
#[derive(Debug)]
pub(crate) struct Declaration<'t> {
    /// Its schema.
    pub schema: &'static BlockSchema,
    /// `pool.x`, `pool.x.lot.r0`: without a module and without keys.
    pub declared: Arc<str>,
    /// Its own label; `target "kubernetes" "eks"`: `eks`; a block without labels: empty.
    pub label: Arc<str>,
    /// As written.
    pub tree: &'t tree::Block,
    /// Blocks in it, in order.
    pub nested: Vec<Arc<Declaration<'t>>>,
    /// Something in it could not be read or was refused, which has been reported: nobody should complain that it is
    /// absent.
    pub incomplete: bool,
}

impl<'t> Declaration<'t> {
    /// `pool`, `lot`, `target.kubernetes`: what references to it are called.
    pub(crate) fn kind(&self) -> &'static str {
        if self.schema.kind.starts_with("target.") {
            return &self.schema.kind;
        }
        self.schema.kind.rsplit('.').next().unwrap_or(&self.schema.kind)
    }

    /// The attribute as written.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'t tree::Attribute> {
        self.tree.body.attributes().find(|attribute| &*attribute.name.text == name)
    }

    /// Whether it stands for any number of blocks.
    pub(crate) fn repeats(&self) -> bool {
        self.attribute("for_each").is_some() || self.attribute("count").is_some()
    }
}

/// What the files of one folder declare.
#[derive(Debug, Default)]
pub(crate) struct Declared<'t> {
    /// The folder, relative to the fleet's own; that of the fleet itself is empty.
    pub folder: Arc<str>,
    /// Every top-level block but `locals`, by address.
    pub top: BTreeMap<Arc<str>, Arc<Declaration<'t>>>,
    /// Attributes of all `locals` blocks.
    pub locals: BTreeMap<Arc<str>, &'t tree::Attribute>,
    /// Names of blocks that were refused, which has been reported: a reference to one is no second error.
    lost: BTreeSet<Arc<str>>,
    /// Kinds of which two blocks have one name: which name the second was meant to have, only its references know.
    twice: BTreeSet<&'static str>,
    /// Some file could not be read whole: any block or local value may be in the rest.
    incomplete: bool,
}

impl<'t> Declared<'t> {
    /// Blocks of a kind, in the order of their addresses.
    pub(crate) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &Arc<Declaration<'t>>> {
        let start: Arc<str> = Arc::from(kind);
        let kind = kind.to_owned();
        self.top
            .range(start..)
            .take_while({
                let kind = kind.clone();
                move |(address, _)| address.starts_with(kind.as_str())
            })
            .map(|(_, block)| block)
            .filter(move |block| {
                block.kind() == kind || block.kind().split('.').next() == Some(kind.as_str())
            })
    }

    /// Whether what is not there may have been written after all: its block was refused, or could not be read. That
    /// has been reported, and a reference to it is not a fault of its own.
    pub(crate) fn may_exist(&self, address: &str, name: &str) -> bool {
        let parent = ["lot", "step"].into_iter().find_map(|kind| address.split_once(&format!(".{kind}.")));
        let parent = parent.and_then(|(parent, _)| self.top.get(parent));
        self.incomplete || self.lost.contains(name) || parent.is_some_and(|parent| parent.incomplete)
    }

    /// Whether a name that no block has is probably that of a block whose name was refused.
    pub(crate) fn misnamed(&self, kind: &str, name: &str) -> bool {
        let refused = |label: &str| name_fault(label).is_some() && near_name(label) == near_name(name);
        self.twice.contains(kind) || self.of_kind(kind).any(|block| refused(&block.label))
    }

    /// The block of an address without keys, a lot's or a step's too.
    pub(crate) fn get(&self, address: &str) -> Option<&Arc<Declaration<'t>>> {
        if let Some(block) = self.top.get(address) {
            return Some(block);
        }
        let parent = ["lot", "step"].into_iter().find_map(|kind| address.split_once(&format!(".{kind}.")));
        let (parent, _) = parent?;
        self.top.get(parent)?.nested.iter().find(|child| &*child.declared == address)
    }
}

/// Collects what the files of a folder declare.
pub(crate) fn collect<'t>(
    schema: &'static Schema,
    folder: &str,
    files: &'t [tree::File],
    diagnostics: &mut Vec<Diagnostic>,
) -> Declared<'t> {
    let mut blocks = Declared {
        folder: Arc::from(folder),
        incomplete: files.iter().any(|file| file.body.incomplete),
        ..Declared::default()
    };
    let mut unopened = false;
    for item in files.iter().flat_map(|file| &file.body.items) {
        unopened &= matches!(item, tree::Item::Attribute(_));
        match item {
            // The attributes below a block that was never opened stand outside for the same reason.
            tree::Item::Attribute(_) if unopened => {}
            tree::Item::Attribute(attribute) => {
                let label = opens(schema, attribute);
                diagnostics.push(outside(attribute, label));
                unopened = label.is_some();
                blocks.lost.extend(label.map(Arc::from));
            }
            tree::Item::Block(block) if &*block.kind.text == "locals" => {
                locals(block, &mut blocks, diagnostics)
            }
            tree::Item::Block(block) => {
                let Some(found) = top_level(schema, block, blocks.top.len(), diagnostics) else {
                    blocks.lost.extend(block.labels.iter().map(|label| label.text.clone()));
                    continue;
                };
                match blocks.top.get(&found.declared) {
                    Some(first) => {
                        diagnostics.push(duplicate(&found.declared, first.tree.header, block.header));
                        blocks.twice.extend(found.schema.kind.split('.').next());
                    }
                    None => {
                        blocks.top.insert(found.declared.clone(), Arc::new(found));
                    }
                }
            }
        }
    }
    blocks
}

/// `class = train` at the top level: the name of the block that was to be opened there.
fn opens<'t>(schema: &Schema, attribute: &'t tree::Attribute) -> Option<&'t str> {
    let kind: &str = &attribute.name.text;
    let block = schema.blocks.get(kind).filter(|block| block.labels == 1 && !kind.contains('.'))?;
    match (&attribute.value.kind, block.status) {
        (_, Status::Planned) => None,
        (tree::ExprKind::Name(name), _) => Some(&name.text),
        (tree::ExprKind::String(text), _) => Some(text),
        _ => None,
    }
}

/// An attribute that stands in no block; `label` is that of the block that it should open.
fn outside(attribute: &tree::Attribute, label: Option<&str>) -> Diagnostic {
    let name = &attribute.name;
    let diagnostic =
        Diagnostic::error(codes::ATTRIBUTE_OUTSIDE, format!("`{}` stands outside of every block", name.text));
    match label {
        Some(label) => diagnostic.at(attribute.span, "an attribute, where a block is opened").with_help(
            format!("a block is opened with `{} \"{label}\" {{`, and closed with `}}`", name.text),
        ),
        None => diagnostic
            .at(name.span, "no block around it")
            .with_help("put it into the block that it belongs to, or into `locals { … }`"),
    }
}

fn duplicate(address: &str, first: Span, second: Span) -> Diagnostic {
    Diagnostic::error(codes::DUPLICATE, format!("`{address}` is declared twice"))
        .at(second, "declared again here")
        .also(first, "first declared here")
        .with_help("give one of the two another name, or make one block of them")
}

fn locals<'t>(block: &'t tree::Block, blocks: &mut Declared<'t>, diagnostics: &mut Vec<Diagnostic>) {
    blocks.incomplete |= block.body.incomplete;
    if let Some(label) = block.labels.first() {
        diagnostics.push(
            Diagnostic::error(codes::LABELS, "`locals` takes no label, found one")
                .at(label.span, "no label expected")
                .with_help("write it as `locals { … }`; there may be several"),
        );
    }
    for inner in block.body.blocks() {
        diagnostics.push(
            Diagnostic::error(
                codes::UNKNOWN_BLOCK,
                format!("`{}` may not stand in `locals`", inner.kind.text),
            )
            .at(inner.header, "only attributes here")
            .with_help(format!("write `{} = {{ … }}` for an object", inner.kind.text)),
        );
    }
    for attribute in block.body.attributes() {
        match blocks.locals.get(&attribute.name.text) {
            // Twice in one block: the reader of the syntax has said so.
            Some(first) if within(block.span, first.name.span) => {}
            Some(first) => {
                let address = format!("local.{}", attribute.name.text);
                diagnostics.push(duplicate(&address, first.name.span, attribute.name.span));
            }
            None => {
                blocks.locals.insert(attribute.name.text.clone(), attribute);
            }
        }
    }
}

fn top_level<'t>(
    schema: &'static Schema,
    block: &'t tree::Block,
    position: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Declaration<'t>> {
    let kind: &str = &block.kind.text;
    if kind == "target" {
        return target(schema, block, diagnostics);
    }
    let found = schema.blocks.get(kind).filter(|_| !kind.contains('.'));
    let Some(found) = found else {
        diagnostics.push(unknown_top_level(schema, block));
        return None;
    };
    if refuse_planned(found, block.header, kind, diagnostics) {
        return None;
    }
    let label = labels(found, block, kind, diagnostics)?;
    // A statement has no name: its place tells it from others.
    let label = if STATEMENTS.contains(&kind) { Arc::from(format!("{position:06}")) } else { label };
    let address: Arc<str> =
        if label.is_empty() { Arc::from(kind) } else { Arc::from(format!("{kind}.{label}")) };
    Some(nest(schema, found, block, address, label, diagnostics))
}

fn target<'t>(
    schema: &'static Schema,
    block: &'t tree::Block,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Declaration<'t>> {
    let kinds: Vec<&str> = schema.blocks.keys().filter_map(|kind| kind.strip_prefix("target.")).collect();
    let [kind, label] = block.labels.as_slice() else {
        diagnostics.push(
            Diagnostic::error(
                codes::LABELS,
                format!("`target` takes two labels, found {}", counted(block.labels.len())),
            )
            .at(block.header, "its kind and its name are expected")
            .with_help("write it as `target \"kubernetes\" \"eks\" { … }`"),
        );
        return None;
    };
    let Some(found) = schema.blocks.get(&format!("target.{}", kind.text)) else {
        let mut diagnostic =
            Diagnostic::error(codes::UNKNOWN_BLOCK, format!("there is no kind of target `{}`", kind.text))
                .at(kind.span, "no kind of target");
        if let Some(help) = suggestion_help("kind of target", &kind.text, kinds.iter().copied()) {
            diagnostic = diagnostic.with_help(help);
        }
        diagnostics.push(diagnostic.with_note(format!("kinds: {}", kinds.join(", "))));
        return None;
    };
    if refuse_planned(found, block.header, &format!("target \"{}\"", kind.text), diagnostics) {
        return None;
    }
    check_name(label, diagnostics);
    let address: Arc<str> = Arc::from(format!("target.{}.{}", kind.text, label.text));
    Some(nest(schema, found, block, address, label.text.clone(), diagnostics))
}

fn unknown_top_level(schema: &Schema, block: &tree::Block) -> Diagnostic {
    let kind: &str = &block.kind.text;
    let homes = homes(schema, kind);
    if !homes.is_empty() {
        return Diagnostic::error(codes::UNKNOWN_BLOCK, format!("`{kind}` may not stand at the top level"))
            .at(block.kind.span, "stands in no block")
            .with_help(format!("move it into the {} that it belongs to", homes.join(" or ")));
    }
    let diagnostic = Diagnostic::error(codes::UNKNOWN_BLOCK, format!("there is no kind of block `{kind}`"))
        .at(block.kind.span, "unknown kind of block");
    let tops: Vec<&str> = schema
        .blocks
        .values()
        .filter(|block| !block.kind.contains('.') && block.status != Status::Planned)
        .map(|block| block.kind.as_str())
        .chain(["target"])
        .collect();
    match suggestion_help("kind of block", kind, tops.iter().copied()) {
        _ if OF_TERRAFORM.contains(&kind) => diagnostic
            .with_help("Poolwright has none: a system that it writes for is a `target \"KIND\" \"NAME\"`"),
        Some(help) => diagnostic.with_help(help),
        None => diagnostic.with_help(format!("kinds of blocks: {}", tops.join(", "))),
    }
}

/// Where a kind of block may stand: `route`, `fabric`; empty when no block has it inside.
fn homes(schema: &Schema, kind: &str) -> Vec<String> {
    let parents = schema.blocks.values().filter(|parent| parent.nested.iter().any(|nested| nested == kind));
    // `switch` nests in itself: its home is the fabric.
    let mut homes: Vec<String> = parents
        .filter(|parent| parent.kind.rsplit('.').next() != Some(kind))
        .map(|parent| format!("`{}`", parent.kind))
        .collect();
    homes.dedup();
    homes
}

fn refuse_planned(schema: &BlockSchema, span: Span, shown: &str, diagnostics: &mut Vec<Diagnostic>) -> bool {
    if schema.status != Status::Planned {
        return false;
    }
    diagnostics.push(not_built(&format!("`{shown}` blocks"), span));
    true
}

/// What a part of the language that is not built yet is answered with.
pub(crate) fn not_built(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(codes::NOT_BUILT, format!("{what} are not built yet"))
        .at(span, "part of the language, not of this version")
        .with_help("leave it out until a version has it; nothing of it would reach a target today")
}

/// Checks the labels of a block and gives its own.
fn labels(
    schema: &BlockSchema,
    block: &tree::Block,
    kind: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Arc<str>> {
    if block.labels.len() != schema.labels {
        let wanted = match schema.labels {
            0 => "no label".to_owned(),
            1 => "one label".to_owned(),
            more => format!("{more} labels"),
        };
        let example = if schema.labels == 0 {
            format!("{kind} {{ … }}")
        } else {
            format!("{kind} \"name\" {{ … }}")
        };
        diagnostics.push(
            Diagnostic::error(
                codes::LABELS,
                format!("`{kind}` takes {wanted}, found {}", counted(block.labels.len())),
            )
            .at(block.header, format!("{wanted} expected"))
            .with_help(format!("write it as `{example}`")),
        );
        return None;
    }
    let Some(label) = block.labels.first() else { return Some(Arc::from("")) };
    // Labels of tests are sentences (LANGUAGE §2).
    match schema.kind.as_str() {
        "test" | "check" | "policy.test" | "accelerator.partition" => {
            if label.text.is_empty() {
                diagnostics.push(
                    Diagnostic::error(codes::NAME_RULE, format!("the label of `{kind}` is empty"))
                        .at(label.span, "nothing stands between the quotes")
                        .with_help("say what it is: it is printed where it is told of"),
                );
                return None;
            }
        }
        // These make no objects: their names are words of expressions.
        "variable" | "output" | "module" => check_word(label, diagnostics),
        _ => check_name(label, diagnostics),
    }
    Some(label.text.clone())
}

fn within(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// A small number as a word.
fn counted(count: usize) -> String {
    match count {
        0 => "none".to_owned(),
        1 => "one".to_owned(),
        2 => "two".to_owned(),
        more => more.to_string(),
    }
}

/// The nearest name that the rule allows, if there is one.
fn near_name(text: &str) -> Option<String> {
    let spelt: String =
        text.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let parts: Vec<&str> = spelt.split('-').filter(|part| !part.is_empty()).collect();
    let name = parts.join("-");
    (name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() <= 40).then_some(name)
}

/// What a name has against the rule for names (LANGUAGE, rule 2).
pub(crate) fn name_fault(text: &str) -> Option<String> {
    Some(if text.is_empty() {
        "is empty".to_owned()
    } else if text.chars().count() > 40 {
        "has more than 40 characters".to_owned()
    } else if !text.starts_with(|c: char| c.is_ascii_lowercase()) {
        "does not begin with a lower-case letter".to_owned()
    } else if let Some(other) = text.chars().find(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-')) {
        format!("has the character `{other}`")
    } else if text.contains("--") {
        "has `--`, which joins names on targets".to_owned()
    } else if text.ends_with('-') {
        "ends with a hyphen".to_owned()
    } else {
        return None;
    })
}

fn check_name(label: &tree::Ident, diagnostics: &mut Vec<Diagnostic>) {
    let text: &str = &label.text;
    let Some(fault) = name_fault(text) else { return };
    let mut diagnostic = Diagnostic::error(codes::NAME_RULE, format!("the name `{text}` {fault}"))
        .at(label.span, "not a name")
        .with_note(
            "a name has lower-case letters, digits and single hyphens, a letter first, at most 40 characters",
        );
    if let Some(name) = near_name(text) {
        diagnostic = diagnostic.with_help(format!("call it `{name}`"));
    }
    diagnostics
        .push(diagnostic.with_help("`name = \"…\"` sets another spelling where a target has one already"));
}

/// A name that expressions have after a dot.
fn check_word(label: &tree::Ident, diagnostics: &mut Vec<Diagnostic>) {
    let text: &str = &label.text;
    let start = |c: char| c.is_alphabetic() || c == '_';
    let fine = text.starts_with(start) && text.chars().all(|c| start(c) || c.is_numeric() || c == '-');
    if !fine {
        diagnostics.push(
            Diagnostic::error(
                codes::NAME_RULE,
                format!("the name `{text}` is none that an expression can have"),
            )
            .at(label.span, "not a name")
            .with_note("letters, digits, `_` and `-`, a letter first")
            .with_help("call it something that reads well after a dot: `var.max_nodes`"),
        );
    }
}

/// Makes a block of its tree, with the blocks in it.
fn nest<'t>(
    schema: &'static Schema,
    found: &'static BlockSchema,
    block: &'t tree::Block,
    address: Arc<str>,
    label: Arc<str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Declaration<'t> {
    let mut children: Vec<Arc<Declaration<'t>>> = Vec::new();
    let written = block.body.blocks().count();
    for inner in block.body.blocks() {
        let kind: &str = &inner.kind.text;
        let anywhere = ANYWHERE.contains(&kind) && takes_conditions(found);
        if !anywhere && !found.nested.iter().any(|nested| nested == kind) {
            diagnostics.push(misplaced(schema, found, inner));
            continue;
        }
        // `switch` nests in itself; its schema is that of the fabric's switch.
        let own = if anywhere { format!("meta.{kind}") } else { format!("{}.{kind}", found.kind) };
        let Some(inner_schema) = schema.blocks.get(&own).or_else(|| schema.blocks.get(&found.kind)) else {
            continue;
        };
        if refuse_planned(inner_schema, inner.header, kind, diagnostics) {
            continue;
        }
        let Some(inner_label) = labels(inner_schema, inner, kind, diagnostics) else { continue };
        let inner_address: Arc<str> = match inner_schema.labels {
            0 => Arc::from(format!("{address}.{kind}.{}", children.len())),
            _ => Arc::from(format!("{address}.{kind}.{inner_label}")),
        };
        if let Some(first) = children.iter().find(|child| child.declared == inner_address) {
            diagnostics.push(duplicate(&inner_address, first.tree.header, inner.header));
            continue;
        }
        children.push(Arc::new(nest(schema, inner_schema, inner, inner_address, inner_label, diagnostics)));
    }
    let incomplete = block.body.incomplete || children.len() < written;
    Declaration { schema: found, declared: address, label, tree: block, nested: children, incomplete }
}

/// Whether `precondition` may stand in a block: what is itself a condition or a statement has none.
fn takes_conditions(schema: &BlockSchema) -> bool {
    schema.attributes.contains_key("name") || matches!(schema.kind.as_str(), "output" | "fleet")
}

fn misplaced(schema: &Schema, parent: &BlockSchema, inner: &tree::Block) -> Diagnostic {
    let kind: &str = &inner.kind.text;
    let name = parent.kind.replace("target.cloud", "target");
    if let Some(attribute) = parent.attributes.get(kind) {
        return attribute_as_block(attribute, &name, inner);
    }
    // `quota { … }`: one element of `quotas`.
    if let Some(list) = parent.attributes.get(&format!("{kind}s"))
        && let Type::List(element) = &list.ty
        && let Type::Object(object) = &**element
    {
        let written = |name: &str| inner.body.attributes().any(|attribute| &*attribute.name.text == name);
        let keys = object.fields.iter().filter(|field| field.required || written(&field.name));
        let keys: Vec<String> = keys.map(|field| format!("{} = …", field.name)).collect();
        return Diagnostic::error(
            codes::UNKNOWN_BLOCK,
            format!("`{name}` has no block `{kind}`, but a list `{}`", list.name),
        )
        .at(inner.header, "written as a block")
        .with_help(format!("write `{} = [{{ {} }}]`", list.name, keys.join(", ")));
    }
    let diagnostic = Diagnostic::error(codes::UNKNOWN_BLOCK, format!("`{kind}` may not stand in `{name}`"))
        .at(inner.kind.span, format!("no block of `{name}`"));
    if schema.blocks.contains_key(kind) || kind == "target" {
        return diagnostic.with_help("move it to the top level of a file");
    }
    let homes = homes(schema, kind);
    if !homes.is_empty() {
        return diagnostic.with_help(format!("it belongs in a {}", homes.join(" or a ")));
    }
    let built = schema.blocks.values().filter(|block| block.status != Status::Planned);
    let owners = built.filter(|block| block.attributes.contains_key(kind));
    let owners: Vec<String> = owners.map(|block| format!("`{}`", block.kind)).take(3).collect();
    if !owners.is_empty() {
        return diagnostic
            .with_help(format!("it is an attribute, `{kind} = …`, of a {}", owners.join(" or a ")));
    }
    match suggestion_help("block", kind, parent.nested.iter().map(String::as_str)) {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic.with_help(format!("`{name}` has attributes only")),
    }
}

/// An attribute that is written as a block, as the first HCL allowed it.
fn attribute_as_block(attribute: &AttributeSchema, parent: &str, inner: &tree::Block) -> Diagnostic {
    let kind = &attribute.name;
    let diagnostic = Diagnostic::error(
        codes::UNKNOWN_BLOCK,
        format!("`{kind}` is an attribute of `{parent}`, not a block"),
    )
    .at(inner.header, "written as a block");
    let is_object = matches!(attribute.ty, Type::Object(_) | Type::Map(_));
    let plain = inner.labels.is_empty() && inner.body.blocks().next().is_none();
    if is_object && plain {
        let gap = inner.kind.span.at_end();
        return diagnostic.with_fix(
            format!("insert `=`: `{kind} = {{ … }}`"),
            Applicability::Safe,
            vec![Edit { span: gap, text: " =".to_owned() }],
        );
    }
    match &attribute.ty {
        Type::Object(_) | Type::Map(_) => diagnostic.with_help(format!("write `{kind} = {{ … }}`")),
        Type::List(element) if matches!(**element, Type::Object(_)) => {
            diagnostic.with_help(format!("write `{kind} = [{{ … }}]`"))
        }
        ty => diagnostic.with_help(format!("write `{kind} = …`, {}", ty.describe())),
    }
}
