//! The blocks that are there: declarations, multiplied by the modules that they stand in and by their `for_each` or
//! `count`.
//!
//! A [`Module`] is one use of a folder. Which blocks a declaration with `for_each` stands for is found out when it is
//! asked for, since its `for_each` may need other blocks; [`crate::values`] does that, once for each.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock, RwLock};

use poolwright_expression::{BlockRef, Scope, Value};

use crate::collect::{Declaration, Declared};

/// Which module of [`Blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ModuleId(usize);

impl ModuleId {
    /// The fleet's own folder.
    pub(crate) const ROOT: Self = Self(0);
}

/// Which instance of a declaration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// Of `for_each`.
    Text(Arc<str>),
    /// Of `count`.
    Index(usize),
}

impl Key {
    /// `["a"]`, `[0]`, as an address has it.
    pub(crate) fn bracketed(&self) -> String {
        match self {
            Self::Text(text) => format!("[\"{}\"]", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Self::Index(index) => format!("[{index}]"),
        }
    }

    /// The key alone, as a name has it.
    pub(crate) fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.to_string(),
            Self::Index(index) => index.to_string(),
        }
    }
}

/// How many blocks a declaration stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One.
    Single,
    /// One for each key of `for_each`.
    Map,
    /// As many as `count` says.
    List,
}

/// The blocks of one declaration in one module.
#[derive(Debug)]
pub(crate) struct Instances<'t> {
    shape: Shape,
    /// In the order of their keys.
    pub blocks: Vec<Arc<Block<'t>>>,
    /// Which they are could not be found out, which has been reported.
    pub failed: bool,
    /// Where in `blocks` an address is; only of several.
    places: BTreeMap<Arc<str>, usize>,
}

impl<'t> Instances<'t> {
    /// Blocks in the order of their keys.
    pub(crate) fn new(shape: Shape, blocks: Vec<Arc<Block<'t>>>) -> Self {
        let several = shape != Shape::Single;
        let places = blocks.iter().enumerate().filter(|_| several);
        let places = places.map(|(at, block)| (block.address.clone(), at)).collect();
        Self { shape, blocks, failed: false, places }
    }

    /// Nobody knows which.
    pub(crate) fn failed() -> Self {
        Self { shape: Shape::Map, blocks: Vec::new(), failed: true, places: BTreeMap::new() }
    }

    fn get(&self, address: &str) -> Option<&Arc<Block<'t>>> {
        if self.shape == Shape::Single {
            return self.blocks.first().filter(|block| *block.address == *address);
        }
        self.blocks.get(*self.places.get(address)?)
    }

    /// What a reference without a key is: the block, the map of the blocks, the list of them.
    pub(crate) fn value(&self) -> Option<Value> {
        let references = || self.blocks.iter().map(|block| Value::Block(block.reference()));
        match self.shape {
            Shape::Single => references().next(),
            Shape::List => Some(Value::list(references())),
            Shape::Map => Some(Value::object(self.blocks.iter().map(|block| {
                let key = block.key.as_ref().map(Key::plain).unwrap_or_default();
                (Arc::from(key), Value::Block(block.reference()))
            }))),
        }
    }
}

/// A block that is there.
#[derive(Debug)]
pub(crate) struct Block<'t> {
    declaration: Arc<Declaration<'t>>,
    /// `module.edge["fra"].pool.gpu["a"].lot.r0`
    pub address: Arc<str>,
    /// Which of several.
    pub key: Option<Key>,
    /// What its expressions may name besides the fleet: `each`, `count`.
    pub scope: Scope,
    /// The module whose names its expressions mean.
    pub module: ModuleId,
    /// For a `module` block: what it makes.
    pub inner: Option<ModuleId>,
    /// Blocks in it, in order, once they are known.
    children: OnceLock<Option<Vec<Arc<Block<'t>>>>>,
}

impl<'t> Deref for Block<'t> {
    type Target = Declaration<'t>;

    fn deref(&self) -> &Self::Target {
        &self.declaration
    }
}

impl<'t> Block<'t> {
    /// A block of a declaration. `prefix` is the address of what it stands in, with a dot behind it, or empty.
    pub(crate) fn new(
        declaration: &Arc<Declaration<'t>>,
        address: Arc<str>,
        key: Option<Key>,
        scope: Scope,
        module: ModuleId,
    ) -> Self {
        let block = Self {
            declaration: declaration.clone(),
            address,
            key,
            scope,
            module,
            inner: None,
            children: OnceLock::new(),
        };
        // Most blocks have nothing in them that is multiplied: then nothing has to be evaluated.
        if !declaration.nested.iter().any(|nested| nested.repeats()) {
            let children = declaration.nested.iter().map(|nested| Arc::new(block.child(nested, None)));
            let _ = block.children.set(Some(children.collect()));
        }
        block
    }

    /// A block in this one.
    pub(crate) fn child(&self, nested: &Arc<Declaration<'t>>, key: Option<(Key, Scope)>) -> Self {
        let own = nested.declared.strip_prefix(&*self.declared).unwrap_or(&nested.declared);
        let (key, scope) = match key {
            Some((key, scope)) => (Some(key), scope),
            None => (None, self.scope.clone()),
        };
        let bracketed = key.as_ref().map(Key::bracketed).unwrap_or_default();
        Self::new(nested, Arc::from(format!("{}{own}{bracketed}", self.address)), key, scope, self.module)
    }

    /// The blocks in it, if they are known by now.
    pub(crate) fn children(&self) -> &[Arc<Block<'t>>] {
        self.children.get().and_then(Option::as_ref).map_or(&[], Vec::as_slice)
    }

    /// Whether [`Block::children`] are known.
    pub(crate) fn has_children(&self) -> bool {
        self.children.get().is_some()
    }

    /// Says which blocks are in it; none when that could not be found out, which has been reported.
    pub(crate) fn set_children(&self, children: Option<Vec<Arc<Block<'t>>>>) {
        let _ = self.children.set(children);
    }

    /// Whether something in it is not known, for a reason that has been reported: nobody should complain that it is
    /// absent.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.incomplete || self.children.get().is_some_and(Option::is_none)
    }

    /// Blocks of one kind in it.
    pub(crate) fn children_of(&self, kind: &str) -> impl Iterator<Item = &Arc<Block<'t>>> {
        self.children().iter().filter(move |child| child.kind() == kind)
    }

    /// The value that stands for it in expressions.
    pub(crate) fn reference(&self) -> BlockRef {
        BlockRef { kind: Arc::from(self.kind()), address: self.address.clone() }
    }

    /// Its name where none is written: the label, `label--key` of one of several.
    pub(crate) fn default_name(&self) -> String {
        match &self.key {
            Some(key) => format!("{}--{}", self.label, key.plain()),
            None => self.label.to_string(),
        }
    }
}

/// One use of a folder.
#[derive(Debug)]
pub(crate) struct Module<'t> {
    /// `module.edge["fra"]`; the fleet's own folder: empty.
    pub path: Arc<str>,
    /// What its files declare.
    pub declared: Arc<Declared<'t>>,
    /// The block that uses it.
    pub call: Option<Arc<Block<'t>>>,
    /// The blocks of each declaration, once they are known.
    instances: BTreeMap<Arc<str>, OnceLock<Arc<Instances<'t>>>>,
}

impl<'t> Module<'t> {
    fn new(id: ModuleId, declared: Arc<Declared<'t>>, call: Option<Arc<Block<'t>>>) -> Self {
        let path = call.as_ref().map_or_else(|| Arc::from(""), |call| call.address.clone());
        let cell = |(address, declaration): (&Arc<str>, &Arc<Declaration<'t>>)| {
            let cell = OnceLock::new();
            // What is not multiplied is known at once. A `module` block makes a module: that is done when asked for.
            if !declaration.repeats() && declaration.kind() != "module" {
                let address = within(&path, address);
                let block = Block::new(declaration, address, None, Scope::default(), id);
                let _ = cell.set(Arc::new(Instances::new(Shape::Single, vec![Arc::new(block)])));
            }
            (address.clone(), cell)
        };
        let instances = declared.top.iter().map(cell).collect();
        Self { path, declared, call, instances }
    }

    /// The blocks of a declaration, if they are known by now.
    pub(crate) fn known(&self, declared: &str) -> Option<&Arc<Instances<'t>>> {
        self.instances.get(declared)?.get()
    }

    /// Says which blocks a declaration stands for.
    pub(crate) fn set(&self, declared: &str, instances: Arc<Instances<'t>>) {
        if let Some(cell) = self.instances.get(declared) {
            let _ = cell.set(instances);
        }
    }

    /// The address of something declared in it.
    pub(crate) fn address(&self, declared: &str) -> Arc<str> {
        within(&self.path, declared)
    }
}

fn within(path: &str, declared: &str) -> Arc<str> {
    if path.is_empty() { Arc::from(declared) } else { Arc::from(format!("{path}.{declared}")) }
}

/// All blocks of all modules, as far as they are known.
#[derive(Debug)]
pub(crate) struct Blocks<'t> {
    root: Arc<Module<'t>>,
    others: RwLock<Vec<Arc<Module<'t>>>>,
}

impl<'t> Blocks<'t> {
    /// The blocks of a fleet whose own folder declares these.
    pub(crate) fn new(root: Declared<'t>) -> Self {
        let root = Module::new(ModuleId::ROOT, Arc::new(root), None);
        Self { root: Arc::new(root), others: RwLock::default() }
    }

    /// A module.
    pub(crate) fn module(&self, id: ModuleId) -> Arc<Module<'t>> {
        let Some(at) = id.0.checked_sub(1) else { return self.root.clone() };
        let others = self.others.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        others.get(at).unwrap_or(&self.root).clone()
    }

    /// Adds what a `module` block makes; `block` gets the number of it.
    pub(crate) fn add(&self, declared: Arc<Declared<'t>>, mut block: Block<'t>) -> Arc<Block<'t>> {
        let mut others = self.others.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let id = ModuleId(others.len() + 1);
        block.inner = Some(id);
        let block = Arc::new(block);
        others.push(Arc::new(Module::new(id, declared, Some(block.clone()))));
        block
    }

    /// Every module with its number, parents first.
    pub(crate) fn modules(&self) -> Vec<(ModuleId, Arc<Module<'t>>)> {
        let others = self.others.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let all = std::iter::once(&self.root).chain(others.iter());
        all.enumerate().map(|(id, module)| (ModuleId(id), module.clone())).collect()
    }

    /// What the fleet's own folder declares.
    pub(crate) fn root(&self) -> &Module<'t> {
        &self.root
    }

    /// The `fleet` block.
    pub(crate) fn fleet(&self) -> Option<&Arc<Block<'t>>> {
        self.root.known("fleet")?.blocks.first()
    }

    /// Blocks of a kind in all modules, in the order of their addresses.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<Arc<Block<'t>>> {
        let mut found = Vec::new();
        for (_, module) in self.modules() {
            for declaration in module.declared.of_kind(kind) {
                let instances = module.known(&declaration.declared);
                found.extend(instances.into_iter().flat_map(|instances| instances.blocks.iter().cloned()));
            }
        }
        found.sort_by(|a, b| a.address.cmp(&b.address));
        found
    }

    /// The block of an address, a lot's or a step's too.
    pub(crate) fn get(&self, address: &str) -> Option<Arc<Block<'t>>> {
        let mut module = self.root.clone();
        let mut rest = address;
        loop {
            let top = top_length(rest)?;
            let (own, nested) = rest.split_at(top);
            let block = instance(&module, own)?;
            let Some(inner) = block.inner.filter(|_| !nested.is_empty()) else {
                return descend(block, address);
            };
            module = self.module(inner);
            rest = nested.strip_prefix('.')?;
        }
    }
}

/// The block of an address in its own module, `pool.gpu["a"]`.
fn instance<'t>(module: &Module<'t>, own: &str) -> Option<Arc<Block<'t>>> {
    let declared = own.split('[').next().unwrap_or(own);
    module.known(declared)?.get(&module.address(own)).cloned()
}

/// The block of an address in a block, or in a block of that.
fn descend<'t>(block: Arc<Block<'t>>, address: &str) -> Option<Arc<Block<'t>>> {
    if *block.address == *address {
        return Some(block);
    }
    let inside = |child: &&Arc<Block<'t>>| {
        address.strip_prefix(&*child.address).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    descend(block.children().iter().find(inside)?.clone(), address)
}

/// How many bytes of an address its first block takes: `pool.gpu["a"]` of `pool.gpu["a"].lot.r0`.
fn top_length(address: &str) -> Option<usize> {
    let parts = match address.split('.').next()? {
        "target" => 3,
        "fleet" => 1,
        _ => 2,
    };
    let mut seen = 0;
    for (at, character) in outside_keys(address) {
        if character == '.' {
            seen += 1;
            if seen == parts {
                return Some(at);
            }
        }
    }
    (seen + 1 == parts).then_some(address.len())
}

/// The characters of an address that stand in no key.
fn outside_keys(address: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let (mut quoted, mut escaped) = (false, false);
    address.char_indices().filter(move |(_, character)| {
        let inside = quoted;
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        !inside
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_block_of_an_address() {
        for (address, first) in [
            ("pool.x", "pool.x"),
            ("pool.gpu[\"a.b\"].lot.r0", "pool.gpu[\"a.b\"]"),
            ("target.kubernetes.c[\"x\"]", "target.kubernetes.c[\"x\"]"),
            ("module.edge[\"q\\\".z\"].pool.x", "module.edge[\"q\\\".z\"]"),
            ("fleet", "fleet"),
            ("pool.n[0].lot.m[1]", "pool.n[0]"),
        ] {
            assert_eq!(
                top_length(address).map(|length| address.split_at(length).0),
                Some(first),
                "{address}"
            );
        }
        assert_eq!(top_length("pool"), None);
    }

    #[test]
    fn keys_are_quoted() {
        assert_eq!(Key::Text(Arc::from("a\"b\\c")).bracketed(), r#"["a\"b\\c"]"#);
        assert_eq!(Key::Index(3).bracketed(), "[3]");
    }
}
