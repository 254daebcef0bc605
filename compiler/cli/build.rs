//! Puts the pages of docs/codes into the program: a page is one file there and is named nowhere else.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../docs/codes").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut files: Vec<_> = std::fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if name.starts_with("PW") && file.extension().is_some_and(|ending| ending == "md") {
            writeln!(table, "    ({name:?}, include_str!({:?})),", file.display().to_string())?;
        }
    }
    table.push_str("]\n");
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("pages.rs"), table)?;
    Ok(())
}
