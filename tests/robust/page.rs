//! The page with the figures: each test holds its own part, between two comments.

use std::path::Path;
use std::sync::Mutex;

/// Tests run side by side, and write one file.
static WRITING: Mutex<()> = Mutex::new(());

/// Holds a part of docs/robustness.md to a text, or writes it anew with `UPDATE_GOLDEN=1`.
#[track_caller]
pub(crate) fn hold(part: &str, text: &str) {
    let _one = WRITING.lock().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/robustness.md");
    let page = std::fs::read_to_string(&file).unwrap();
    let (open, close) = (format!("<!-- {part} -->\n"), format!("<!-- to here: {part} -->"));
    let (before, rest) = page.split_once(&open).unwrap();
    let (found, after) = rest.split_once(&close).unwrap();
    if found == text {
        return;
    }
    assert!(
        std::env::var_os("UPDATE_GOLDEN").is_some(),
        "docs/robustness.md is not up to date (UPDATE_GOLDEN=1 writes it anew)\n--- expected\n{text}\n--- found\n{found}"
    );
    std::fs::write(&file, format!("{before}{open}{text}{close}{after}")).unwrap();
}
