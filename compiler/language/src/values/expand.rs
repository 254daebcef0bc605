//! Which blocks a declaration with `for_each` or `count` stands for.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span, suggestion_help};
use poolwright_expression::{Scope, Value};
use poolwright_syntax::tree;

use super::Values;
use super::absent::missing;
use super::chain::{Key as Link, follows};
use crate::codes;
use crate::collect::{Declaration, Declared, name_fault};
use crate::instances::{Block, Instances, Key, Module, ModuleId, Shape};

/// The most blocks that one declaration stands for; far above any real fleet, far below what fills the memory.
const MOST: usize = 100_000;
/// The most uses of modules: modules that use modules multiply.
const MOST_MODULES: usize = 10_000;
/// Attributes of a `module` block that are no inputs.
const OF_MODULES: [&str; 4] = ["source", "ref", "for_each", "count"];

/// How many blocks a declaration stands for, by how it is written.
pub(super) fn shape(declaration: &Declaration<'_>) -> Shape {
    if declaration.attribute("for_each").is_some() {
        Shape::Map
    } else if declaration.attribute("count").is_some() {
        Shape::List
    } else {
        Shape::Single
    }
}

impl<'t> Values<'_, 't> {
    /// Finds out all blocks of all modules.
    pub(crate) fn expand(&self) {
        // Modules make modules: go on until there is no new one.
        let mut done = 0;
        loop {
            let modules = self.blocks.modules();
            let Some(new) = modules.get(done..).filter(|new| !new.is_empty()) else { return };
            done = modules.len();
            for (id, module) in new {
                for (address, declaration) in &module.declared.top {
                    let span = declaration.tree.header;
                    let instances = match self.instances(*id, module, address, span) {
                        Ok(instances) => instances,
                        Err(diagnostic) => {
                            self.report(*diagnostic);
                            continue;
                        }
                    };
                    for block in &instances.blocks {
                        if let Err(diagnostic) = self.expand_children(block, span) {
                            self.report(*diagnostic);
                        }
                    }
                }
            }
        }
    }

    /// The blocks that a declaration of a module stands for, found out once.
    pub(super) fn instances(
        &self,
        id: ModuleId,
        module: &Arc<Module<'t>>,
        declared: &str,
        span: Span,
    ) -> Result<Arc<Instances<'t>>, Box<Diagnostic>> {
        if let Some(known) = module.known(declared) {
            return if known.failed { Err(follows()) } else { Ok(known.clone()) };
        }
        let Some(declaration) = module.declared.top.get(declared) else { return Err(follows()) };
        let key = Link::Instances(module.address(declared));
        let found = self.linked(&key, span, module.call.as_ref(), || {
            let keys = self.keys(declaration, id, &Scope::default())?;
            let made = keys.into_iter().map(|(key, scope)| self.make(id, module, declaration, key, scope));
            Some(Instances::new(shape(declaration), made.collect::<Option<Vec<_>>>()?))
        })?;
        let found = Arc::new(found.unwrap_or_else(Instances::failed));
        module.set(declared, found.clone());
        if found.failed { Err(follows()) } else { Ok(found) }
    }

    fn make(
        &self,
        id: ModuleId,
        module: &Arc<Module<'t>>,
        declaration: &Arc<Declaration<'t>>,
        key: Option<Key>,
        scope: Scope,
    ) -> Option<Arc<Block<'t>>> {
        let bracketed = key.as_ref().map(Key::bracketed).unwrap_or_default();
        let address = Arc::from(format!("{}{bracketed}", module.address(&declaration.declared)));
        let block = Block::new(declaration, address, key, scope, id);
        if declaration.kind() != "module" {
            self.named(&block);
            return Some(Arc::new(block));
        }
        if let (None, Some(source)) = (block.attribute("source"), block.schema.attributes.get("source")) {
            self.report(missing(&block, source));
            return None;
        }
        // Which folder it is has been found by whoever read the files, and said if there is none.
        let of = (module.declared.folder.clone(), declaration.label.clone());
        let folder = self.inputs.modules.and_then(|modules| modules.calls.get(&of))?;
        let child = self.folders.get(folder)?;
        if self.blocks.modules().len() > MOST_MODULES {
            self.report(
                Diagnostic::error(
                    codes::TOO_MANY_MODULES,
                    format!("there are more than {MOST_MODULES} modules"),
                )
                .at(declaration.tree.header, "one too many")
                .with_help(
                    "give one module a map and `for_each` its blocks, instead of many modules one block",
                ),
            );
            return None;
        }
        self.check_inputs(declaration, child).then(|| self.blocks.add(child.clone(), block))
    }

    /// A key that is no name makes no name: then the block has to say its own.
    fn named(&self, block: &Block<'t>) {
        let Some(Key::Text(key)) = &block.key else { return };
        let has_name =
            block.schema.attributes.contains_key("name") && !matches!(block.kind(), "test" | "check");
        if !has_name || block.attribute("name").is_some() {
            return;
        }
        // The label stands before it: a key may begin with a digit.
        let Some(fault) = name_fault(&format!("x{key}")) else { return };
        let written = block.attribute("for_each");
        self.report(
            Diagnostic::error(codes::NAME_RULE, format!("the key {key:?} of `{}` {fault}", block.declared))
                .at(written.map_or(block.tree.header, |written| written.value.span), "makes no name")
                .with_note(format!(
                    "without `name`, `{}` would be called `{}`",
                    block.address,
                    block.default_name()
                ))
                .with_help("give each a name: `name = …`, made from `each.key` or `each.value`"),
        );
    }

    /// Finds out which blocks are in a block.
    pub(super) fn expand_children(&self, block: &Arc<Block<'t>>, span: Span) -> Result<(), Box<Diagnostic>> {
        if !block.has_children() {
            let children = self.linked(&Link::Instances(block.address.clone()), span, Some(block), || {
                let mut children = Vec::new();
                for nested in &block.nested {
                    if !nested.repeats() {
                        children.push(Arc::new(block.child(nested, None)));
                        continue;
                    }
                    for (key, scope) in self.keys(nested, block.module, &block.scope)? {
                        let key = key.map(|key| (key, scope));
                        let child = block.child(nested, key);
                        self.named(&child);
                        children.push(Arc::new(child));
                    }
                }
                Some(children)
            })?;
            block.set_children(children);
        }
        // Those in the blocks in it: a switch in a switch.
        block.children().iter().try_for_each(|child| self.expand_children(child, span))
    }

    /// The keys of a declaration, each with what its expressions may name besides. None: there is a fault, which has
    /// been reported.
    fn keys(
        &self,
        declaration: &Declaration<'t>,
        module: ModuleId,
        outer: &Scope,
    ) -> Option<Vec<(Option<Key>, Scope)>> {
        match (declaration.attribute("for_each"), declaration.attribute("count")) {
            (None, None) => Some(vec![(None, outer.clone())]),
            (Some(for_each), Some(count)) => {
                self.report(
                    Diagnostic::error(
                        codes::REPETITION,
                        format!("`{}` has `for_each` and `count`", declaration.declared),
                    )
                    .at(count.name.span, "one of the two says how many there are")
                    .also(for_each.name.span, "the other")
                    .with_help("keep `for_each`: its keys stay the same when one is taken out"),
                );
                None
            }
            (Some(written), None) => self.for_each(declaration, written, module, outer),
            (None, Some(written)) => self.count(declaration, written, module, outer),
        }
    }

    fn for_each(
        &self,
        declaration: &Declaration<'t>,
        written: &tree::Attribute,
        module: ModuleId,
        outer: &Scope,
    ) -> Option<Vec<(Option<Key>, Scope)>> {
        let value = self.repetition(declaration, written, module, outer)?;
        let fault = |found: String, help: &str| {
            self.report(
                Diagnostic::error(
                    codes::REPETITION,
                    format!("`for_each` of `{}` {found}", declaration.declared),
                )
                .at(written.value.span, "a map, or a set of text, is wanted")
                .with_help(help.to_owned()),
            );
            None
        };
        let elements: Vec<(Arc<str>, Value)> = match &value {
            Value::Object(entries) => {
                entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
            }
            Value::Set(items) => {
                let mut elements = Vec::new();
                for item in items.iter() {
                    match item {
                        Value::String(text) => elements.push((text.clone(), item.clone())),
                        other => {
                            return fault(
                                format!("is a set with {}", other.type_name()),
                                "write `for_each = { for x in … : KEY => x }`, with a text for each key",
                            );
                        }
                    }
                }
                elements
            }
            Value::Null => {
                return fault("is null".to_owned(), "write `{}` for none at all");
            }
            Value::List(_) => {
                return fault(
                    "is a list, whose elements have no keys".to_owned(),
                    "write `toset(…)` around a list of text, or `{ for x in … : KEY => x }`",
                );
            }
            other => {
                return fault(
                    format!("is {}: {other}", other.type_name()),
                    "write a map `{ a = …, b = … }` or a set `toset([\"a\", \"b\"])`",
                );
            }
        };
        if elements.len() > MOST {
            return fault(
                format!("has {} elements", elements.len()),
                "no declaration stands for more than 100000 blocks",
            );
        }
        let parent = outer.get("each").cloned();
        let scope = |key: &Arc<str>, value: Value| {
            let mut each: BTreeMap<Arc<str>, Value> = BTreeMap::new();
            each.insert(Arc::from("key"), Value::String(key.clone()));
            each.insert(Arc::from("value"), value);
            each.extend(parent.clone().map(|parent| (Arc::from("parent"), parent)));
            outer.with("each", Value::Object(Arc::new(each)))
        };
        Some(
            elements
                .into_iter()
                .map(|(key, value)| (Some(Key::Text(key.clone())), scope(&key, value)))
                .collect(),
        )
    }

    fn count(
        &self,
        declaration: &Declaration<'t>,
        written: &tree::Attribute,
        module: ModuleId,
        outer: &Scope,
    ) -> Option<Vec<(Option<Key>, Scope)>> {
        let value = self.repetition(declaration, written, module, outer)?;
        let number = match &value {
            Value::Number(number) => number.to_u64().and_then(|number| usize::try_from(number).ok()),
            _ => None,
        };
        let Some(number) = number.filter(|number| *number <= MOST) else {
            self.report(
                Diagnostic::error(
                    codes::REPETITION,
                    format!("`count` of `{}` is {value}", declaration.declared),
                )
                .at(written.value.span, "a whole number from 0 to 100000 is wanted")
                .with_help("for blocks that differ write `for_each`"),
            );
            return None;
        };
        let scope = |index: usize| {
            let index = Value::number(u64::try_from(index).unwrap_or_default());
            outer.with("count", Value::object([("index", index)]))
        };
        Some((0..number).map(|index| (Some(Key::Index(index)), scope(index))).collect())
    }

    /// The value of `for_each` or `count`, which nobody may have to hide: it is in addresses.
    fn repetition(
        &self,
        declaration: &Declaration<'t>,
        written: &tree::Attribute,
        module: ModuleId,
        outer: &Scope,
    ) -> Option<Value> {
        let names: Vec<&str> = outer.names().collect();
        let expr = self.resolve_in(&written.value, module, &names, None)?;
        let value = self.evaluated(&expr, module, outer)?;
        let keys_hidden = match &value {
            Value::Object(_) => false,
            other => other.is_sensitive(),
        };
        if keys_hidden {
            self.report(
                Diagnostic::error(
                    codes::SENSITIVE_PLACE,
                    format!("`{}` of `{}` is sensitive", written.name.text, declaration.declared),
                )
                .at(written.value.span, "becomes part of addresses and names, which are shown")
                .with_help("take what is not secret: `nonsensitive(keys(…))` if the keys are not"),
            );
            return None;
        }
        Some(value)
    }

    /// Whether the inputs of a module are those that it has.
    fn check_inputs(&self, call: &Arc<Declaration<'t>>, child: &Declared<'t>) -> bool {
        let mut fine = true;
        let variable = |name: &str| child.top.get(format!("variable.{name}").as_str());
        for written in call.tree.body.attributes() {
            let name: &str = &written.name.text;
            if OF_MODULES.contains(&name) || variable(name).is_some() {
                continue;
            }
            if child.may_exist(&format!("variable.{name}"), name) {
                return false;
            }
            let inputs = child.of_kind("variable").map(|variable| &*variable.label);
            let known: Vec<&str> = inputs.chain(OF_MODULES).collect();
            let diagnostic =
                Diagnostic::error(codes::UNKNOWN_INPUT, format!("`{}` has no input `{name}`", call.declared))
                    .at(written.name.span, "no variable of the module");
            self.report(match suggestion_help("input", name, known.iter().copied()) {
                Some(help) => diagnostic.with_help(help),
                None => {
                    diagnostic.with_help(format!("declare it in the module: `variable \"{name}\" {{ … }}`"))
                }
            });
            fine = false;
        }
        for variable in child.of_kind("variable") {
            let required = variable.attribute("default").is_none() && !variable.incomplete;
            if required && call.attribute(&variable.label).is_none() && !call.incomplete {
                self.report(
                    Diagnostic::error(
                        codes::MISSING_INPUT,
                        format!("`{}` does not give the input `{}`", call.declared, variable.label),
                    )
                    .at(call.tree.header, format!("needs `{}`", variable.label))
                    .also(variable.tree.header, "has no default")
                    .with_help(format!("add `{} = …`", variable.label)),
                );
                fine = false;
            }
        }
        fine
    }
}
