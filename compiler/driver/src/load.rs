//! From a folder to trees: which files, their text, what does not parse.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Code, Diagnostic, FileId, SourceMap, Span};
use poolwright_expression::quantity::Version;
use poolwright_expression::{BlockRef, Value};
use poolwright_language::{Evaluated, Inputs, Later};
use poolwright_model::view::View;
use poolwright_model::{Fleet, Layout, Program};
use poolwright_syntax::tree::{Body, Expr, File};
use poolwright_target::files::{EntryKind, FileErrorKind, Files, check_path};
use rayon::prelude::*;

use crate::codes;
use crate::folder::Folder;
use crate::modules::modules;
use crate::variables::{VariableSource, variables};

/// The largest file of a fleet that is read, bytes.
pub(crate) const FILE_LIMIT: u64 = 256 << 20;
/// The ending of a fleet's files.
pub const ENDING: &str = ".pool.hcl";
/// Kinds of blocks that no other language in HCL has.
const OWN_BLOCKS: [&str; 8] = ["fleet", "pool", "tier", "fabric", "tenant", "queue", "route", "price_book"];

/// A fleet as its files say it.
#[derive(Debug)]
pub struct Loaded {
    /// The files.
    pub sources: SourceMap,
    /// The fleet, if there is a sound `fleet` block.
    pub fleet: Option<Fleet>,
    /// Policies and tests.
    pub program: Program,
    /// The expressions that were asked about, or what is wrong with each.
    pub(crate) asked: Vec<Result<poolwright_expression::Expr, Vec<Diagnostic>>>,
    /// Texts of the files that price books name, by their paths as written.
    pub texts: BTreeMap<String, String>,
    /// What is checked and not yet written to its target.
    pub later: Vec<Later>,
    /// Everything found so far.
    pub diagnostics: Vec<Diagnostic>,
    /// How many files there are.
    pub files: usize,
}

/// Reads, parses and evaluates the `*.pool.hcl` files at the root of `files`, with the modules that they use. `given`
/// are values of variables.
#[must_use]
pub fn load(files: &dyn Files, version: &Version, given: &[VariableSource]) -> Loaded {
    load_over(files, version, given, &BTreeMap::new())
}

/// [`load`], with expressions that are asked about.
pub(crate) fn load_asking(
    files: &dyn Files,
    version: &Version,
    given: &[VariableSource],
    questions: &[String],
) -> Loaded {
    load_with(files, version, given, &BTreeMap::new(), questions)
}

/// [`load`], with other texts in the place of some files.
pub(crate) fn load_over(
    files: &dyn Files,
    version: &Version,
    given: &[VariableSource],
    over: &BTreeMap<String, String>,
) -> Loaded {
    load_with(files, version, given, over, &[])
}

fn load_with(
    files: &dyn Files,
    version: &Version,
    given: &[VariableSource],
    over: &BTreeMap<String, String>,
    questions: &[String],
) -> Loaded {
    let mut sources = SourceMap::default();
    let mut diagnostics = Vec::new();
    let texts = texts(files, over, &mut sources, &mut diagnostics);
    let trees = parsed(texts, &mut sources, &mut diagnostics);
    let count = trees.len();
    if count == 0 {
        // A question about nothing can be answered all the same.
        if questions.is_empty() || diagnostics.iter().any(|found| found.code != codes::EMPTY_FOLDER) {
            return Loaded {
                sources,
                fleet: None,
                program: Program::default(),
                asked: Vec::new(),
                texts: BTreeMap::new(),
                later: Vec::new(),
                diagnostics,
                files: 0,
            };
        }
        diagnostics.clear();
    }
    let read = |path: &str| template(files, path);
    let modules = modules(files, over, &trees, &mut sources, &mut diagnostics);
    let variables = variables(given, &mut sources, &mut diagnostics);
    let questions = asked(questions, &mut sources);
    let exprs: Vec<Expr> = questions.iter().flatten().cloned().collect();
    let folder = Folder(files);
    let inputs = Inputs {
        version,
        read: &read,
        files: Some(&folder),
        variables: &variables,
        computed: Some(&computed),
        asked: &exprs,
        modules: Some(&modules),
    };
    let Evaluated { fleet, program, asked, files: texts, later, diagnostics: found } =
        poolwright_language::evaluate(&trees, inputs);
    // A broken file may have held the fleet block, and one that was not read any block at all: saying that it is
    // missing too would be a second error for one cause. What no target takes is known of a whole fleet only.
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    let unread = diagnostics
        .iter()
        .any(|diagnostic| [codes::UNREADABLE, codes::NOT_UTF8, codes::TOO_LARGE].contains(&diagnostic.code));
    // Nor is it a second one when the file has another ending, and so is not read.
    use poolwright_language::codes::{CHECKED_ONLY, FLEET_COUNT, UNKNOWN_REFERENCE};
    let lacks = |fault: &Diagnostic| [FLEET_COUNT, UNKNOWN_REFERENCE].contains(&fault.code);
    let misnamed = if found.iter().any(lacks) { misnamed(files) } else { Vec::new() };
    let elsewhere = !misnamed.is_empty();
    diagnostics.extend(misnamed.iter().map(|name| not_read(name)));
    let follows = |diagnostic: &Diagnostic| {
        (elsewhere && lacks(diagnostic))
            || (broken && [FLEET_COUNT, CHECKED_ONLY].contains(&diagnostic.code))
            || (unread && diagnostic.code == UNKNOWN_REFERENCE)
    };
    drop_signs(&trees, &found, &mut diagnostics);
    diagnostics.extend(found.into_iter().filter(|diagnostic| !follows(diagnostic)));
    Diagnostic::sort(&mut diagnostics);
    let mut answers = asked.into_iter();
    let answer = |question: Result<_, _>| question.and_then(|_| answers.next().unwrap_or(Err(Vec::new())));
    let asked = questions.into_iter().map(answer).collect();
    Loaded { sources, fleet, program, asked, texts, later, diagnostics, files: count }
}

/// The trees of texts, parsed side by side.
pub(crate) fn parsed(
    texts: Vec<(String, String)>,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<File> {
    let texts: Vec<(FileId, String)> =
        texts.into_iter().map(|(name, text)| (sources.add(name, text.as_str()), text)).collect();
    let parsed: Vec<(File, Vec<Diagnostic>)> =
        texts.into_par_iter().map(|(id, text)| poolwright_syntax::parse(id, &text)).collect();
    let mut trees = Vec::with_capacity(parsed.len());
    for (tree, faults) in parsed {
        diagnostics.extend(faults);
        trees.push(tree);
    }
    trees
}

/// The trees of expressions that stand in no file, each in a line of its own.
fn asked(questions: &[String], sources: &mut SourceMap) -> Vec<Result<Expr, Vec<Diagnostic>>> {
    let mut read = |question: &String| {
        // Only an attribute has a value; its name is that of nobody.
        let text = format!("_ = {question}\n");
        let id = sources.add("console", text.as_str());
        let (tree, faults) = poolwright_syntax::parse(id, &text);
        let sound = !faults.iter().any(Diagnostic::is_error);
        let single = tree.body.items.len() == 1;
        match tree.body.attributes().next().filter(|_| sound && single) {
            Some(attribute) => Ok(attribute.value.clone()),
            None if sound => Err(vec![
                Diagnostic::error(codes::NO_EXPRESSION, format!("`{question}` is no expression"))
                    .at(Span::new(id, 4, 4), "one expression is wanted")
                    .with_help("write one value: `pool.x.gpus.max`, `1 + 1`; blocks belong into files"),
            ]),
            None => Err(faults),
        }
    };
    questions.iter().map(&mut read).collect()
}

/// An attribute of a pool or lot that follows from the pool and the price books.
fn computed(fleet: &Fleet, texts: &BTreeMap<String, String>, block: &BlockRef, name: &str) -> Option<Value> {
    let (prices, _) = poolwright_pricing::price(fleet, texts);
    let (layout, costs) = (Layout::default(), poolwright_pricing::cost(fleet, &prices));
    let view = View::new(fleet, &layout, &prices, &costs, None, BTreeMap::new());
    view.attribute(block, name).flatten()
}

/// Drops what was said of the signs in something that is no attribute or block at all, which is one error: the commas of
/// blocks that should be attributes with an object (`limits { a = 1, b = 2 }`: with the `=` they are right), and the
/// colons of attributes outside of every block.
fn drop_signs(trees: &[File], found: &[Diagnostic], diagnostics: &mut Vec<Diagnostic>) {
    use poolwright_language::codes::UNKNOWN_BLOCK;
    use poolwright_syntax::codes::{COMMA_AFTER_ITEM, WRONG_ASSIGNMENT};
    let refused: Vec<Span> = found
        .iter()
        .filter(|fault| fault.code == UNKNOWN_BLOCK && !fault.fixes.is_empty())
        .filter_map(|fault| fault.primary().map(|label| label.span))
        .collect();
    let mut follow: Vec<(Code, Span)> = trees
        .iter()
        .flat_map(|tree| tree.body.attributes())
        .map(|attribute| (WRONG_ASSIGNMENT, attribute.span))
        .collect();
    let mut open: Vec<&Body> = if refused.is_empty() { Vec::new() } else { bodies(trees) };
    while let Some(body) = open.pop() {
        for block in body.blocks() {
            open.push(&block.body);
            if refused.contains(&block.header) {
                follow.push((COMMA_AFTER_ITEM, block.span));
            }
        }
    }
    let within = |outer: Span, inner: Span| {
        outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
    };
    diagnostics.retain(|fault| {
        let place = fault.primary().map(|label| label.span);
        !follow
            .iter()
            .any(|(code, span)| fault.code == *code && place.is_some_and(|place| within(*span, place)))
    });
}

fn bodies(trees: &[File]) -> Vec<&Body> {
    trees.iter().map(|tree| &tree.body).collect()
}

/// Files that end in `.hcl` alone and hold blocks of this language: with a missing block they are the likeliest cause.
fn misnamed(files: &dyn Files) -> Vec<String> {
    let Ok(entries) = files.list("") else { return Vec::new() };
    let is_fleet = |name: &str| {
        let text = files.read(name, FILE_LIMIT).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        text.is_some_and(|text| {
            let (tree, _) = poolwright_syntax::parse(FileId(0), &text);
            tree.body.blocks().any(|block| OWN_BLOCKS.contains(&&*block.kind.text))
        })
    };
    let other = |name: &str| name.ends_with(".hcl") && !name.ends_with(ENDING) && !name.starts_with('.');
    entries
        .into_iter()
        .filter(|(name, kind)| *kind != EntryKind::Folder && other(name) && is_fleet(name))
        .map(|(name, _)| name)
        .collect()
}

/// `fleet.hcl` with the ending that is read.
fn renamed(name: &str) -> String {
    format!("{}{ENDING}", name.strip_suffix(".hcl").unwrap_or(name))
}

fn not_read(name: &str) -> Diagnostic {
    let message = format!("`{name}` is not read: files of a fleet end in `{ENDING}`");
    Diagnostic::error(codes::OTHER_ENDING, message).with_help(format!("name it `{}`", renamed(name)))
}

/// Names and texts of the folder's files, in the order of names.
pub(crate) fn texts(
    files: &dyn Files,
    over: &BTreeMap<String, String>,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(String, String)> {
    let entries = match files.list("") {
        Ok(entries) => entries,
        Err(error) => {
            let mut diagnostic = Diagnostic::error(
                codes::NO_FOLDER,
                format!("the fleet's folder cannot be read: {}", error.message),
            );
            match error.kind {
                FileErrorKind::NotFound => {
                    diagnostic = diagnostic.with_help("name the folder that holds the `*.pool.hcl` files");
                }
                FileErrorKind::WrongKind => {
                    diagnostic = diagnostic.with_help(
                        "name the folder that the file lies in: a fleet is all `*.pool.hcl` files of one",
                    );
                }
                _ => {}
            }
            diagnostics.push(diagnostic);
            return Vec::new();
        }
    };
    let names: Vec<String> = entries
        .into_iter()
        .filter(|(name, kind)| name.ends_with(ENDING) && !name.starts_with('.') && *kind != EntryKind::Folder)
        .map(|(name, _)| name)
        .collect();
    if names.is_empty() {
        let diagnostic =
            Diagnostic::error(codes::EMPTY_FOLDER, format!("the folder has no `*{ENDING}` file"));
        let misnamed = misnamed(files);
        diagnostics.push(if misnamed.is_empty() {
            diagnostic.with_help("`poolwright init` writes a fleet to start from")
        } else {
            let help = |name: &String| format!("`{name}` is not read: name it `{}`", renamed(name));
            misnamed.iter().map(help).fold(diagnostic, Diagnostic::with_help)
        });
    }
    read_texts(files, over, &names, sources, diagnostics)
}

/// Names and texts of files. What cannot be read is told of.
pub(crate) fn read_texts(
    files: &dyn Files,
    over: &BTreeMap<String, String>,
    names: &[String],
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for name in names {
        if let Some(text) = over.get(name) {
            texts.push((name.clone(), text.clone()));
            continue;
        }
        match files.read(name, FILE_LIMIT) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => texts.push((name.clone(), text)),
                Err(error) => diagnostics.push(not_utf8(
                    name,
                    error.as_bytes(),
                    error.utf8_error().valid_up_to(),
                    sources,
                )),
            },
            Err(error) => {
                let code =
                    if error.kind == FileErrorKind::TooLarge { codes::TOO_LARGE } else { codes::UNREADABLE };
                diagnostics
                    .push(Diagnostic::error(code, format!("`{name}` cannot be read: {}", error.message)));
            }
        }
    }
    texts
}

/// The place of the first byte that is no UTF-8, in the text before it.
fn not_utf8(name: &str, bytes: &[u8], at: usize, sources: &mut SourceMap) -> Diagnostic {
    let good = bytes.get(..at).map(String::from_utf8_lossy).unwrap_or_default().into_owned();
    let byte = bytes.get(at).copied().unwrap_or(0);
    let id = sources.add(name, good);
    let end = u32::try_from(at).unwrap_or(u32::MAX);
    Diagnostic::error(codes::NOT_UTF8, format!("`{name}` is not UTF-8 text"))
        .at(Span::new(id, end, end), format!("byte 0x{byte:02x} after this place begins no character"))
        .with_help("save the file as UTF-8")
}

/// A template or a price file below the fleet's folder.
fn template(files: &dyn Files, path: &str) -> Result<String, String> {
    check_path(path).map_err(|why| why.to_string())?;
    let bytes = files.read(path, FILE_LIMIT).map_err(|error| error.message)?;
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
}
