//! The cases: data files of expressions, or of whole files, with what they give.
//!
//! A case begins with a line `# rule`. The lines after it:
//!
//! | line | |
//! |---|---|
//! | `> text` | a line of the expression or the file |
//! | `$ name json` | a name that it uses, and its value |
//! | `= json`, `= error` | what HashiCorp's implementation gives |
//! | `x 1:2-1:3`, `x 1:2-1:3 here 1:1-1:2` | where it finds a fault; and where we do, if that is not the same |
//! | `+ 1:2-1:3` | where only we find one |
//! | `& name name` | the attributes that the blocks have; it is judged by the language's own schema |
//! | `! reason` | that we give something else, and why |
//! | `~ refined` | that it knows more about an unknown value than its type |
//!
//! The values are in the notation of `notation.rs`. `tests/conformance/run.sh` asks the implementation itself whether
//! what stands here is so.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// One case.
#[derive(Default)]
pub(crate) struct Case {
    /// `E17`: the file's letter and the place in it.
    pub(crate) id: String,
    /// What it is about.
    pub(crate) rule: String,
    /// The expression or the file.
    pub(crate) text: String,
    /// The values of its names.
    pub(crate) names: BTreeMap<String, Json>,
    /// What the reference gives; `None`: a fault.
    pub(crate) wanted: Option<Json>,
    /// Where the reference finds faults, and where we do.
    pub(crate) places: Vec<(String, String)>,
    /// The attributes that its blocks have.
    pub(crate) known: Option<Vec<String>>,
    /// Why it is something else here.
    pub(crate) miss: Option<String>,
    /// Whether the reference knows more about an unknown result than its type.
    pub(crate) refined: bool,
}

/// The expressions and templates of the table.
pub(crate) fn table() -> Vec<Case> {
    let mut all = read('E', include_str!("cases/expressions.txt"));
    all.extend(read('T', include_str!("cases/templates.txt")));
    all
}

/// The files of the suite.
pub(crate) fn suite() -> Vec<Case> {
    read('S', include_str!("cases/suite.txt"))
}

fn read(letter: char, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (sign, rest) = line.split_at(1);
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        if sign == "#" {
            let id = format!("{letter}{}", cases.len() + 1);
            cases.push(Case { id, rule: rest.to_owned(), ..Case::default() });
            continue;
        }
        let case = cases.last_mut().unwrap();
        let json = |text: &str| -> Json {
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error}: {text}", case.id))
        };
        match sign {
            ">" => {
                case.text.push_str(rest);
                case.text.push('\n');
            }
            "$" => {
                let (name, value) = rest.split_once(' ').unwrap();
                let value = json(value);
                case.names.insert(name.to_owned(), value);
            }
            "=" => case.wanted = (rest != "error").then(|| json(rest)),
            "x" => {
                let (theirs, ours) = rest.split_once(" here ").unwrap_or((rest, rest));
                case.places.push((theirs.to_owned(), ours.to_owned()));
            }
            "+" => case.places.push((String::new(), rest.to_owned())),
            "&" => case.known = Some(rest.split(' ').map(str::to_owned).collect()),
            "!" => case.miss = Some(rest.to_owned()),
            "~" => case.refined = true,
            _ => panic!("{}: no line begins with {sign}", case.id),
        }
    }
    cases
}
