//! A fleet's folder, and how diagnostics are shown.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use poolwright_diagnostics::render::{self, Findings};
use poolwright_diagnostics::{Diagnostic, Severity, SourceMap};
use poolwright_driver::{Compiled, Faulty, Loaded, Purpose, VariableSource};
use poolwright_target::files::OsFiles;

use crate::args::{Color, Format, Global};
use crate::commands::explain;
use crate::exit::Exit;
use crate::{internal, output};

/// Flags and the folder of one run.
pub(crate) struct Session {
    pub(crate) global: Global,
    pub(crate) folder: PathBuf,
    pub(crate) files: OsFiles,
}

impl Session {
    pub(crate) fn new(global: &Global, folder: &Path) -> Self {
        internal::input(folder);
        Self { global: global.clone(), folder: folder.to_owned(), files: OsFiles::new(folder) }
    }

    /// The folder as an argument for the next command; nothing for the current one.
    pub(crate) fn argument(&self) -> String {
        if self.folder == Path::new(".") { String::new() } else { format!(" {}", self.folder.display()) }
    }

    pub(crate) fn load(&self) -> Loaded {
        self.load_with(Vec::new())
    }

    /// Loads the fleet with these values of variables, which count before those of the command line.
    pub(crate) fn load_with(&self, values: Vec<VariableSource>) -> Loaded {
        internal::phase("reading the fleet");
        let given: Vec<VariableSource> = self.global.variables().into_iter().chain(values).collect();
        let mut loaded = poolwright_driver::load(&self.files, &poolwright_driver::version(), &given);
        // Only here the folder has the name by which the user gave it.
        for fault in &mut loaded.diagnostics {
            if fault.code == poolwright_driver::codes::NO_FOLDER {
                fault.notes.insert(0, format!("the folder is `{}`", self.folder.display()));
            }
        }
        loaded
    }

    /// Loads and compiles to write, or shows what is wrong.
    pub(crate) fn compile(&self) -> Result<Compiled, Exit> {
        self.compile_for(Purpose::Write)
    }

    /// Loads and compiles to look at it, or shows what is wrong.
    pub(crate) fn look(&self) -> Result<Compiled, Exit> {
        self.compile_for(Purpose::Look)
    }

    fn compile_for(&self, purpose: Purpose) -> Result<Compiled, Exit> {
        let loaded = self.load();
        internal::phase("compiling the fleet");
        match poolwright_driver::compile(loaded, purpose) {
            Ok(compiled) => {
                self.remarks(&compiled.diagnostics, &compiled.sources);
                Ok(compiled)
            }
            Err(faulty) => {
                let Faulty { sources, diagnostics, files } = *faulty;
                self.remarks(&diagnostics, &sources);
                // Other forms are read by programs: one document, or one line a fault.
                if self.global.format == Format::Human {
                    output::complain(&totals(&diagnostics, &sources, files));
                }
                Err(Exit::Invalid)
            }
        }
    }

    /// Shows what a command other than `validate` found beside its data: warnings unless `-q`, notes only when asked
    /// for; to people errors first.
    pub(crate) fn remarks(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        let mut shown: Vec<Diagnostic> = diagnostics
            .iter()
            .filter(|diagnostic| match diagnostic.severity {
                Severity::Error => true,
                Severity::Warning => !self.global.quiet,
                Severity::Note => self.global.verbose,
            })
            .cloned()
            .collect();
        if self.global.format == Format::Human {
            shown.sort_by_key(|diagnostic| diagnostic.severity);
        }
        if !shown.is_empty() {
            self.complain(&shown, sources);
        }
    }

    /// Shows diagnostics on standard error. A form that is one document waits for what the rest of the run finds.
    pub(crate) fn complain(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        if self.global.format.is_document() {
            output::keep(self.global.format, |findings| findings.add(diagnostics, sources, &self.base()));
        } else {
            output::complain(&self.rendered(diagnostics, sources, std::io::stderr().is_terminal()));
        }
    }

    /// Diagnostics in the form that was asked for.
    pub(crate) fn rendered(&self, diagnostics: &[Diagnostic], sources: &SourceMap, terminal: bool) -> String {
        match self.global.format {
            Format::Human => render::human(diagnostics, sources, &options(self.global.color, terminal)),
            Format::Short => render::short(diagnostics, sources),
            format => {
                let mut findings = Findings::default();
                findings.add(diagnostics, sources, &self.base());
                document(format, &findings)
            }
        }
    }

    /// What stands before the names of files to make paths of them.
    fn base(&self) -> String {
        let folder = self.folder.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
        match folder.strip_prefix("./").unwrap_or(&folder).trim_end_matches('/') {
            "." | "" if !folder.starts_with('/') => String::new(),
            folder => format!("{folder}/"),
        }
    }
}

/// Findings in a form for programs.
pub(crate) fn document(format: Format, findings: &Findings) -> String {
    match format {
        Format::Sarif => {
            let tool = render::Tool {
                version: env!("CARGO_PKG_VERSION"),
                home: env!("CARGO_PKG_REPOSITORY"),
                page: explain::headline_and_meaning,
            };
            render::sarif(findings, &tool)
        }
        Format::Github => render::github(findings),
        Format::Junit => render::junit(findings),
        Format::Human | Format::Short | Format::Json | Format::Dot | Format::Mermaid => {
            render::json(findings)
        }
    }
}

/// Errors of arguments, which have no place in a file.
pub(crate) fn refuse(global: &Global, diagnostic: Diagnostic, exit: Exit) -> Exit {
    Session::new(global, Path::new(".")).complain(&[diagnostic], &SourceMap::default());
    exit
}

fn options(color: Color, terminal: bool) -> render::Options {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let color = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && !no_color,
    };
    render::Options { width: 100, color, unicode: true }
}

/// `2 errors in 1 of 4 files`
pub(crate) fn totals(diagnostics: &[Diagnostic], sources: &SourceMap, files: usize) -> String {
    let count = |severity: Severity, one: &str| {
        let count = diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            more => Some(format!("{more} {one}s")),
        }
    };
    let counts: Vec<String> = [count(Severity::Error, "error"), count(Severity::Warning, "warning")]
        .into_iter()
        .flatten()
        .collect();
    let mut touched: Vec<&str> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity != Severity::Note)
        .filter_map(Diagnostic::primary)
        .filter_map(|label| sources.get(label.span.file))
        .map(poolwright_diagnostics::SourceFile::name)
        .collect();
    touched.sort_unstable();
    touched.dedup();
    match (counts.is_empty(), touched.len()) {
        (true, _) => format!("{files} {} valid\n", if files == 1 { "file is" } else { "files are" }),
        (false, 0) => format!("{}\n", counts.join(", ")),
        (false, touched) => {
            let all = files.max(touched);
            format!(
                "{} in {touched} of {all} {}\n",
                counts.join(", "),
                if all == 1 { "file" } else { "files" }
            )
        }
    }
}
