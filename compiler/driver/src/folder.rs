//! The fleet's folder, as `file`, `fileset` and their like see it.

use poolwright_expression::FileFault;
use poolwright_language::FleetFiles;
use poolwright_target::files::{EntryKind, FileError, FileErrorKind, Files, check_path, join};

/// The largest file that an expression may read, bytes: no text may be longer.
const FILE_LIMIT: u64 = 16 << 20;
/// The most files that are looked through for a pattern.
const MAX_FILES: usize = 100_000;

/// Files below the fleet's folder. Links are not followed: where they lead is a matter of the machine.
pub(crate) struct Folder<'a>(pub(crate) &'a dyn Files);

impl Folder<'_> {
    /// What stands at a path. A link on the way is an error: a part of the way may be one as well as the last.
    fn kind(&self, path: &str) -> Result<EntryKind, FileFault> {
        check_path(path).map_err(|why| FileFault::Other(why.to_owned()))?;
        let mut way = String::new();
        for part in path.split('/') {
            way = join(&way, part);
            match self.0.kind(&way).map_err(told)? {
                None => return Err(FileFault::Missing),
                Some(kind) if way == path => return Ok(kind),
                Some(EntryKind::Folder) => {}
                Some(EntryKind::Symlink) => {
                    return Err(FileFault::Other(format!("`{way}` is a symbolic link")));
                }
                Some(EntryKind::File | EntryKind::Other) => return Err(FileFault::Missing),
            }
        }
        Err(FileFault::Missing)
    }
}

impl FleetFiles for Folder<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        match self.kind(path)? {
            EntryKind::File => self.0.read(path, FILE_LIMIT).map_err(told),
            other => Err(FileFault::Other(format!("it is {}", other.as_str()))),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, FileFault> {
        match if folder.is_empty() { EntryKind::Folder } else { self.kind(folder)? } {
            EntryKind::Folder => {}
            other => return Err(FileFault::Other(format!("it is {}", other.as_str()))),
        }
        let mut found = Vec::new();
        let mut open = vec![String::new()];
        while let Some(inner) = open.pop() {
            let place = if inner.is_empty() { folder.to_owned() } else { join(folder, &inner) };
            for (name, kind) in self.0.list(&place).map_err(told)? {
                let path = join(&inner, &name);
                match kind {
                    // What tools keep for themselves, such as `.git`, is no part of the fleet.
                    EntryKind::Folder if !name.starts_with('.') => open.push(path),
                    EntryKind::File => found.push(path),
                    EntryKind::Folder | EntryKind::Symlink | EntryKind::Other => {}
                }
            }
            if found.len() > MAX_FILES || open.len() > MAX_FILES {
                return Err(FileFault::Other(format!("there are more than {MAX_FILES} files in it")));
            }
        }
        found.sort();
        Ok(found)
    }
}

fn told(error: FileError) -> FileFault {
    if error.kind == FileErrorKind::NotFound { FileFault::Missing } else { FileFault::Other(error.message) }
}

#[cfg(test)]
mod tests {
    use poolwright_target::files::MemoryFiles;

    use super::*;

    fn files() -> MemoryFiles {
        let files = MemoryFiles::default();
        for folder in ["a/b", ".git"] {
            files.create_folder(folder).unwrap();
        }
        for path in ["x.txt", "a/y.bin", "a/b/z", ".git/HEAD"] {
            files.write(path, &[0, 255]).unwrap();
        }
        files
    }

    #[test]
    fn files_are_read_and_what_is_none_is_told() {
        let files = files();
        let folder = Folder(&files);
        assert_eq!(folder.read("a/y.bin"), Ok(vec![0, 255]));
        assert_eq!(folder.read("a/none"), Err(FileFault::Missing));
        assert_eq!(folder.read("x.txt/y"), Err(FileFault::Missing));
        assert_eq!(folder.read("a"), Err(FileFault::Other("it is a folder".into())));
        assert!(matches!(folder.read("../x"), Err(FileFault::Other(_))));
    }

    #[test]
    fn lists_are_relative_and_sorted_and_leave_out_what_tools_keep() {
        let files = files();
        let folder = Folder(&files);
        assert_eq!(folder.list(""), Ok(vec!["a/b/z".into(), "a/y.bin".into(), "x.txt".into()]));
        assert_eq!(folder.list("a"), Ok(vec!["b/z".into(), "y.bin".into()]));
        assert_eq!(folder.list("none"), Err(FileFault::Missing));
        assert_eq!(folder.list("x.txt"), Err(FileFault::Other("it is a file".into())));
    }

    /// Through the whole front end: what is not as it should be makes an error of evaluation.
    #[test]
    fn expressions_of_a_fleet_read_its_files() {
        let files = MemoryFiles::default();
        files.create_folder("files").unwrap();
        files.write("files/motd.txt", b"welcome\n").unwrap();
        files.write("files/hello.tpl", b"%{ for n in names ~}\nhello ${n}\n%{ endfor ~}\n").unwrap();
        files.write("files/logo", &[0, 255]).unwrap();
        let right = r#"
            file("files/motd.txt") == "welcome\n"
            fileset("files", "*.{txt,tpl}") == toset(["hello.tpl", "motd.txt"])
            templatefile("files/hello.tpl", { names = ["a", "b"] }) == "hello a\nhello b\n"
            templatestring("<$${upper(x)}>", { x = "a" }) == "<A>"
            filebase64("files/logo") == "AP8="
            fileexists("files/motd.txt") && !fileexists("files/none")
            filesha256("files/motd.txt") == sha256("welcome\n")
            !can(file("../motd.txt")) && !can(file("files/logo")) && !can(file("files"))
        "#;
        let lines: Vec<&str> = right.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let locals = |wrong: &str| {
            let line = |(index, line): (usize, &&str)| {
                format!("  l{index} = ({line}){wrong} ? 1 : tonumber(\"line {index}\")\n")
            };
            let lines: String = lines.iter().enumerate().map(line).collect();
            files.write("main.pool.hcl", format!("locals {{\n{lines}}}\n").as_bytes()).unwrap();
            let loaded =
                crate::load(&files, &poolwright_expression::quantity::Version::parse("0.1.0").unwrap(), &[]);
            let code = poolwright_expression::codes::BAD_ARGUMENT;
            let faults = loaded.diagnostics.iter().filter(|fault| fault.code == code);
            faults.map(|fault| fault.message.clone()).collect::<Vec<_>>()
        };
        assert_eq!(locals(""), Vec::<String>::new());
        assert_eq!(locals(" == false").len(), lines.len(), "the test can fail");
    }
}
