//! From a folder to trees: which files, their text, what does not parse.

use poolwright_diagnostics::{Diagnostic, FileId, SourceMap, Span};
use poolwright_expression::quantity::Version;
use poolwright_language::{Evaluated, Inputs};
use poolwright_model::{Fleet, Program};
use poolwright_syntax::tree::{Body, File};
use poolwright_target::files::{EntryKind, FileErrorKind, Files, check_path};
use rayon::prelude::*;

use crate::codes;

/// The largest file of a fleet that is read, bytes.
const FILE_LIMIT: u64 = 256 << 20;
/// The ending of a fleet's files.
pub const ENDING: &str = ".pool.hcl";

/// A fleet as its files say it.
#[derive(Debug)]
pub struct Loaded {
    /// The files.
    pub sources: SourceMap,
    /// The fleet, if there is a sound `fleet` block.
    pub fleet: Option<Fleet>,
    /// Policies and tests.
    pub program: Program,
    /// Everything found so far.
    pub diagnostics: Vec<Diagnostic>,
    /// How many files there are.
    pub files: usize,
}

/// Reads, parses and evaluates the `*.pool.hcl` files at the root of `files`.
#[must_use]
pub fn load(files: &dyn Files, version: &Version) -> Loaded {
    let mut sources = SourceMap::default();
    let mut diagnostics = Vec::new();
    let texts: Vec<(FileId, String)> = texts(files, &mut sources, &mut diagnostics)
        .into_iter()
        .map(|(name, text)| (sources.add(name, text.as_str()), text))
        .collect();
    let parsed: Vec<(File, Vec<Diagnostic>)> =
        texts.into_par_iter().map(|(id, text)| poolwright_syntax::parse(id, &text)).collect();
    let mut trees = Vec::with_capacity(parsed.len());
    for (tree, faults) in parsed {
        diagnostics.extend(faults);
        trees.push(tree);
    }
    let count = trees.len();
    if count == 0 {
        return Loaded { sources, fleet: None, program: Program::default(), diagnostics, files: 0 };
    }
    let read = |path: &str| template(files, path);
    let Evaluated { fleet, program, diagnostics: found } =
        poolwright_language::evaluate(&trees, Inputs { version, read: &read });
    // A broken file may have held the fleet block, and one that was not read any block at all: saying that it is
    // missing too would be a second error for one cause. What no target takes is known of a whole fleet only.
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    let unread = diagnostics
        .iter()
        .any(|diagnostic| [codes::UNREADABLE, codes::NOT_UTF8, codes::TOO_LARGE].contains(&diagnostic.code));
    let follows = |diagnostic: &Diagnostic| {
        use poolwright_language::codes::{CHECKED_ONLY, FLEET_COUNT};
        (broken && [FLEET_COUNT, CHECKED_ONLY].contains(&diagnostic.code))
            || (unread && diagnostic.code == poolwright_language::codes::UNKNOWN_REFERENCE)
    };
    drop_commas(&trees, &found, &mut diagnostics);
    diagnostics.extend(found.into_iter().filter(|diagnostic| !follows(diagnostic)));
    Diagnostic::sort(&mut diagnostics);
    Loaded { sources, fleet, program, diagnostics, files: count }
}

/// Drops what was said of commas in blocks that should be attributes with an object (`limits { a = 1, b = 2 }`): with
/// the `=` that is missing they are right.
fn drop_commas(trees: &[File], found: &[Diagnostic], diagnostics: &mut Vec<Diagnostic>) {
    let refused: Vec<Span> = found
        .iter()
        .filter(|fault| fault.code == poolwright_language::codes::UNKNOWN_BLOCK && !fault.fixes.is_empty())
        .filter_map(|fault| fault.primary().map(|label| label.span))
        .collect();
    if refused.is_empty() {
        return;
    }
    let mut open: Vec<&Body> = trees.iter().map(|tree| &tree.body).collect();
    while let Some(body) = open.pop() {
        for block in body.blocks() {
            open.push(&block.body);
            if !refused.contains(&block.header) {
                continue;
            }
            let within = |span: Span| {
                span.file == block.span.file && block.span.start <= span.start && span.end <= block.span.end
            };
            diagnostics.retain(|fault| {
                fault.code != poolwright_syntax::codes::COMMA_AFTER_ITEM
                    || !fault.primary().is_some_and(|label| within(label.span))
            });
        }
    }
}

/// Names and texts of the folder's files, in the order of names.
fn texts(
    files: &dyn Files,
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
            if error.kind == FileErrorKind::NotFound {
                diagnostic = diagnostic.with_help("name the folder that holds the `*.pool.hcl` files");
            }
            diagnostics.push(diagnostic);
            return Vec::new();
        }
    };
    let names: Vec<&String> = entries
        .iter()
        .filter(|(name, kind)| name.ends_with(ENDING) && !name.starts_with('.') && *kind != EntryKind::Folder)
        .map(|(name, _)| name)
        .collect();
    if names.is_empty() {
        let mut diagnostic =
            Diagnostic::error(codes::EMPTY_FOLDER, format!("the folder has no `*{ENDING}` file"))
                .with_help("`poolwright init` writes a fleet to start from");
        if let Some((name, _)) = entries.iter().find(|(name, _)| name.ends_with(".hcl")) {
            diagnostic =
                diagnostic.with_note(format!("`{name}` is there; files of a fleet end in `{ENDING}`"));
        }
        diagnostics.push(diagnostic);
    }
    let mut texts = Vec::new();
    for name in names {
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

/// A template below the fleet's folder.
fn template(files: &dyn Files, path: &str) -> Result<String, String> {
    check_path(path).map_err(|why| why.to_string())?;
    let bytes = files.read(path, 1 << 20).map_err(|error| error.message)?;
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
}
