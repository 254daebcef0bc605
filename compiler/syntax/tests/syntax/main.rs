//! Tests of `parse` from outside.
#![expect(clippy::string_slice, reason = "a test may panic")]

#[cfg(test)]
mod arbitrary;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod files;
#[cfg(test)]
mod fixes;
#[cfg(test)]
mod format;
#[cfg(test)]
mod lower;
#[cfg(test)]
mod recovery;
#[cfg(test)]
mod show;
#[cfg(test)]
mod templates;

#[cfg(test)]
use poolwright_diagnostics::{Diagnostic, FileId};

/// The tree, and the diagnostics.
#[cfg(test)]
fn parse(text: &str) -> (poolwright_syntax::tree::File, Vec<Diagnostic>) {
    poolwright_syntax::parse(FileId(0), text)
}

/// The codes and places of the diagnostics: `PW0010 1:6`.
#[cfg(test)]
fn codes(text: &str) -> Vec<String> {
    let mut map = poolwright_diagnostics::SourceMap::default();
    map.add("", text);
    let (_, found) = parse(text);
    let line = |diagnostic: &Diagnostic| {
        let place = map.place(diagnostic.primary().unwrap().span);
        format!("{} {}", diagnostic.code, place.trim_start_matches(':'))
    };
    found.iter().map(line).collect()
}
