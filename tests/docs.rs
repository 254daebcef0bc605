//! The repository's own words stay true: links lead somewhere, and what they show and promise is what the program does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::{golden, poolwright, root, scratch};

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What the program prints, wherever it is asked.
fn printed(arguments: &[&str]) -> String {
    poolwright(Path::new("/"), arguments).expect(0).stdout
}

/// Markdown files, without build products and hidden folders.
fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let built = name.starts_with('.') || (folder == root() && name == "target") || name == "live";
        if path.is_dir() && !built {
            markdown(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Fenced blocks of a markdown text: what is written after the fence, and the contents.
fn fences(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(word), None) => open = Some((word.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, block))) => *block += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}

/// The text without fenced blocks and inline code, where brackets are no links.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            for (index, part) in line.split('`').enumerate() {
                kept += if index % 2 == 0 { part } else { "code" };
            }
            kept.push('\n');
        }
    }
    kept
}

/// What is between backticks in a text, in order.
fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The headings of a markdown file as GitHub makes anchors of them.
fn anchors(text: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    prose_with_code(text).lines().filter(|line| line.starts_with('#')).map(heading).collect()
}

/// The text without fenced blocks.
fn prose_with_code(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let fence = line.starts_with("```");
        fenced ^= fence;
        !fence && !fenced
    });
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut files = Vec::new();
    markdown(&root(), &mut files);
    let (mut faults, mut links) = (Vec::new(), 0);
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        for rest in prose(&text).split("](").skip(1) {
            let link = rest.split(')').next().unwrap().to_owned();
            if link.contains("://") {
                continue;
            }
            links += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let there = if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            if !there.exists() {
                faults.push(format!("{}: {link} is not there", file.display()));
            } else if !anchor.is_empty()
                && !anchors(&std::fs::read_to_string(&there).unwrap()).contains(anchor)
            {
                faults.push(format!("{}: {link} names no heading", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(links > 20, "the links are found: {links}");
}

// ------------------------------------------------------------------------------------------------------------ README

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 200, "{lines} lines: a newcomer has five minutes");
}

/// Every block of HCL parses; one that is a whole fleet is valid as it stands.
#[test]
fn hcl_in_the_texts_is_hcl() {
    let mut whole = 0;
    for file in ["README.md", "CONTRIBUTING.md", "docs/language.md", "docs/design.md"] {
        for (word, block) in fences(&read(file)) {
            if word != "hcl" {
                continue;
            }
            let (_, faults) = poolwright_syntax::parse(poolwright_diagnostics::FileId(0), &block);
            assert!(faults.is_empty(), "{file}: {faults:?}\n{block}");
            if file == "README.md" && block.starts_with("fleet {") {
                whole += 1;
                let folder = scratch();
                std::fs::write(folder.path().join("readme.pool.hcl"), &block).unwrap();
                let run = poolwright(folder.path(), &["validate"]).expect(0);
                assert!(run.stdout.ends_with("1 file is valid\n") && run.stderr.is_empty(), "{}", run.all());
                // Notes say what a target holds otherwise; a fleet to start from has no warning.
                assert!(!run.stdout.contains("warning["), "{}", run.all());
            }
        }
    }
    assert_eq!(whole, 1, "the README has one complete fleet");
}

/// What the README shows is a part of what tests hold the program to, and its route is the quickstart's.
#[test]
fn the_readme_shows_real_output() {
    let readme = read("README.md");
    let blocks = fences(&readme);
    let shown: Vec<&String> =
        blocks.iter().filter(|(word, _)| word == "text").map(|(_, block)| block).collect();
    let files = ["route", "edit", "denied"];
    assert_eq!(shown.len(), files.len(), "one excerpt for each of {files:?}");
    for (block, file) in shown.into_iter().zip(files) {
        let whole = read(&format!("tests/golden/quickstart/{file}.txt"));
        assert!(
            block.lines().count() > 4 && whole.contains(block.as_str()),
            "not a part of {file}.txt:\n{block}\n--- which is\n{whole}"
        );
    }
    let route = &blocks.iter().find(|(word, _)| word == "hcl").unwrap().1;
    assert!(
        read("examples/quickstart/queues.pool.hcl").contains(route.as_str()),
        "the route is the quickstart's"
    );
}

/// Each target of the README has the support that the plan prints, and the versions of its referees are those that run.
#[test]
fn the_readme_claims_no_more_than_the_plan() {
    let readme = read("README.md");
    let plan = read("tests/golden/quickstart/plan.txt");
    for kind in ["slurm", "kubernetes", "aws", "alibaba"] {
        let start = format!("| `{kind}` | ");
        let row = readme
            .lines()
            .find(|line| line.starts_with(&start))
            .unwrap_or_else(|| panic!("no row of {kind}"));
        let claimed = row[start.len()..].split(" | ").next().unwrap();
        let printed = plan.lines().find(|line| line.starts_with(&format!("{kind}."))).unwrap();
        let support = printed.rsplit("  ").next().unwrap().trim();
        assert_eq!(support.split(',').next().unwrap(), claimed, "{kind}");
    }
    let botocore = read("tests/e2e/aws/requirements.txt");
    let version = botocore.lines().find_map(|line| line.strip_prefix("botocore==")).unwrap();
    assert!(readme.contains(&format!("botocore {version}.")), "botocore is {version}");
    let provider = read("tests/golden/quickstart/objects/alibaba.hangzhou/providers.tf");
    let pinned = provider.lines().find_map(|line| line.trim().strip_prefix("version")).unwrap();
    let pinned: String = pinned.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    assert!(readme.contains(&format!("`aliyun/alicloud` {pinned},")), "the provider is {pinned}");
    let validate = read("tests/schemas/validate.sh");
    let versions = validate.lines().find_map(|line| line.strip_prefix("for version in ")).unwrap();
    for version in versions.trim_end_matches("; do").split(' ') {
        assert!(readme.contains(version.trim_start_matches('v')), "Kueue {version} is named");
    }
}

/// The make targets that the texts name are in the Makefile.
#[test]
fn make_targets_exist() {
    let makefile = read("Makefile");
    for file in ["README.md", "CONTRIBUTING.md", "docs/design.md"] {
        let text = read(file);
        for (place, _) in text.match_indices("make ") {
            let quoted = text[..place].ends_with('`') || text[..place].ends_with('\n');
            let name: String =
                text[place + "make ".len()..].chars().take_while(char::is_ascii_alphanumeric).collect();
            assert!(!quoted || makefile.contains(&format!("\n{name}:")), "{file}: make {name}");
        }
    }
}

// ---------------------------------------------------------------------------------------------------------- contract

/// The commands of the contract, §1: those that are built, a sentence, those that are not.
fn contract_listing() -> String {
    let text = read("docs/contract.md");
    let (_, section) = text.split_once("\n## 1. Commands\n\n").unwrap();
    section.split("\n\nDIR is the folder of").next().unwrap().to_owned()
}

/// All of them.
fn contract() -> BTreeMap<String, BTreeSet<String>> {
    commands_of(&contract_listing())
}

/// Commands of a listing, each with the flags and words that it may have.
fn commands_of(listing: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut commands: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in listing.lines().filter(|line| line.starts_with("    poolwright ")) {
        let line = &line["    poolwright ".len()..];
        // Two commands on a line are separated by a dot, a remark by three spaces.
        for command in line.split('·') {
            let command = command.trim().split("   ").next().unwrap().split(" applies ").next().unwrap();
            let mut words = command.split(' ');
            let parts = commands.entry(words.next().unwrap().to_owned()).or_default();
            let mut value = false;
            for word in words.flat_map(|word| word.split(['[', ']', '|'])).filter(|word| !word.is_empty()) {
                let flag = word.starts_with("--");
                let plain = word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
                if flag || (plain && !value) {
                    parts.insert(word.to_owned());
                }
                value = flag;
            }
        }
    }
    commands
}

/// The part of the contract that says what is missing.
fn not_built() -> String {
    read("docs/contract.md").split_once("\n## Not built yet\n").unwrap().1.to_owned()
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(|found| found == word)
}

/// The commands that the program has.
fn built() -> BTreeSet<String> {
    let help = printed(&["help"]);
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn each_command_is_built_or_said_not_to_be() {
    let built = built();
    let commands: BTreeSet<String> = contract().into_keys().chain(["help".to_owned()]).collect();
    assert!(built.is_subset(&commands), "not in the contract: {:?}", built.difference(&commands));
    let missing = not_built();
    let second = contract_listing().split("\n\n").nth(2).map(commands_of).unwrap();
    let marked: BTreeSet<&str> = second.keys().map(String::as_str).collect();
    let line = missing.lines().find(|line| line.starts_with("Commands that answer")).unwrap();
    let listed: BTreeSet<&str> = code(line.split_once("): ").unwrap().1).into_iter().collect();
    let absent: BTreeSet<&str> = commands.difference(&built).map(String::as_str).collect();
    assert_eq!(listed, absent, "docs/contract.md lists the commands that are not built");
    assert_eq!(marked, absent, "docs/contract.md, the second list of §1");
    for command in listed {
        let run = poolwright(Path::new("/"), &[command]).expect(3);
        assert!(run.stderr.contains("PW9201"), "{}", run.all());
    }
}

/// Flags and subcommands: those that `--help` does not have are in the table, and no others.
#[test]
fn each_flag_is_built_or_said_not_to_be() {
    let built = built();
    let missing = not_built();
    for (command, parts) in contract().into_iter().filter(|(command, _)| built.contains(command)) {
        let mut help = printed(&[&command, "--help"]);
        for part in
            parts.iter().filter(|part| help.contains(&format!("\n  {part} "))).cloned().collect::<Vec<_>>()
        {
            help += &printed(&[&command, &part, "--help"]);
        }
        let absent: BTreeSet<&str> =
            parts.iter().map(String::as_str).filter(|part| !has_word(&help, part)).collect();
        let row = missing.lines().find_map(|line| line.strip_prefix(&format!("| `{command}` | ")));
        let listed: BTreeSet<&str> = row.map(code).unwrap_or_default().into_iter().collect();
        assert_eq!(listed, absent, "docs/contract.md, row `{command}`");
    }
}

#[test]
fn each_common_flag_is_built_or_said_not_to_be() {
    let text = read("docs/contract.md");
    let (_, common) = text.split_once("Common flags: ").unwrap();
    let common = common.split("\n\n").next().unwrap();
    let help = printed(&["plan", "--help"]);
    let mut absent = BTreeSet::new();
    for span in code(common) {
        // `--format human|short|json|…`: the flag, and each form.
        let words = span
            .split([' ', '|'])
            .filter(|word| !word.contains('=') && !word.chars().all(char::is_uppercase));
        absent.extend(words.filter(|word| !has_word(&help, word) && !help.contains(&format!("{word},"))));
    }
    let missing = not_built();
    let rows = missing
        .lines()
        .filter(|line| line.starts_with("| every command | ") || line.starts_with("| `plan`, `apply` | "));
    let listed: BTreeSet<&str> = rows
        .flat_map(|line| code(line.splitn(3, '|').nth(2).unwrap()))
        .filter(|word| *word != "--format")
        .collect();
    assert_eq!(listed, absent, "docs/contract.md, common flags");
}

#[test]
fn exit_codes_are_those_of_the_program() {
    let text = read("docs/contract.md");
    let (_, section) = text.split_once("| code | meaning |\n|--:|---|\n").unwrap();
    let mut table = "exit codes\n".to_owned();
    for row in section.lines().take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        table += &format!("{:>4}  {}\n", cells[0], cells[1]);
    }
    let order = section.lines().find(|line| line.starts_with("When several hold")).unwrap();
    table += &format!("{} is given.\n", order.split(" is given.").next().unwrap());
    assert_eq!(table, printed(&["help", "exit-codes"]));
}

// ---------------------------------------------------------------------------------------------------------- language

/// The files of the quickstart stand in the reference as they are.
#[test]
fn the_language_shows_the_quickstart_as_it_is() {
    let text = read("docs/language.md");
    for name in ["fleet", "pools", "queues", "policies"] {
        let (_, rest) = text.split_once(&format!("\n`{name}.pool.hcl`\n\n```hcl\n")).unwrap();
        let block = rest.split("```").next().unwrap();
        assert_eq!(block, read(&format!("examples/quickstart/{name}.pool.hcl")), "{name}.pool.hcl");
    }
}

/// What `blocks.toml` says is not complete, as the table of docs/language.md. The file is read by its lines, not by
/// the schema, which spreads attributes of every block and of lots over other blocks.
fn incomplete() -> String {
    let source = read("compiler/language/schema/blocks.toml");
    let mut rows: Vec<(String, [Vec<String>; 3])> = Vec::new();
    // Blocks of which all is refused, or all is written later.
    let mut whole: BTreeMap<String, usize> = BTreeMap::new();
    let mut place = String::new();
    for line in source.lines() {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']').replace('"', "");
            let name = section.strip_prefix("block.").or(section.strip_prefix("object.")).unwrap_or("");
            let name = name.trim_end_matches(".attributes").trim_end_matches(".fields");
            // Attributes that only `self` of a policy has.
            let computed = section.strip_prefix("computed.").map(|subject| format!("self of {subject}"));
            place = computed.unwrap_or_else(|| name.to_owned());
            if !place.is_empty() && rows.last().is_none_or(|row| row.0 != place) {
                rows.push((place.clone(), Default::default()));
            }
        } else if line == "status = \"planned\"" {
            whole.insert(place.clone(), 0);
        } else if line.starts_with("later = ") {
            whole.insert(place.clone(), 1);
        } else if let Some((name, rest)) = line.split_once(" = {") {
            let row = rows.last_mut().filter(|row| row.0 == place);
            let marks = ["status = \"planned\"", ", later = \"", "status = \"checked\""];
            if let Some(column) = marks.iter().position(|mark| rest.contains(mark)) {
                row.unwrap().1[column].push(format!("`{name}`"));
            }
        }
    }
    assert!(rows.len() > 40, "the sections are found");
    let mut table = "| block or object | refused | checked, written later | checked, not emitted |\n\
                     |---|---|---|---|\n"
        .to_owned();
    for (name, mut columns) in rows {
        let shown = if name == "meta" { "every block".to_owned() } else { format!("`{name}`") };
        if let Some(column) = whole.get(&name) {
            columns = Default::default();
            columns[*column].push("all of it".to_owned());
        }
        if columns.iter().any(|column| !column.is_empty()) {
            let cells: Vec<String> = columns.iter().map(|column| column.join(" ")).collect();
            table += &format!("| {shown} | {} |\n", cells.join(" | "))
                .replace("|  |", "| |")
                .replace("|  |", "| |");
        }
    }
    table
}

#[test]
fn the_language_says_what_is_not_written() {
    let file = root().join("docs/language.md");
    let text = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = text.split_once("<!-- from blocks.toml -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- to here -->\n").unwrap();
    let wanted = format!("{before}<!-- from blocks.toml -->\n{}<!-- to here -->\n{after}", incomplete());
    golden(&file, &wanted);
}

/// Texts for readers do not speak of where they were written.
#[test]
fn texts_name_no_place_of_their_making() {
    let mut files = Vec::new();
    markdown(&root(), &mut files);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for word in ["shared/", "/work", "/tmp/", "/root/"] {
            assert!(!text.contains(word), "{} says {word}", file.display());
        }
    }
}
