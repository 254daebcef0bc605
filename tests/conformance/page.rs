//! The page of the documentation: docs/conformance.md.

use std::fmt::Write;

use crate::cases::Case;

/// A difference that is meant.
pub(crate) struct Difference<'t> {
    /// Its name.
    pub(crate) id: &'t str,
    lines: Vec<&'t str>,
}

/// The differences of a data file.
pub(crate) fn differences(text: &str) -> Vec<Difference<'_>> {
    let mut all: Vec<Difference<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(id) => all.push(Difference { id, lines: Vec::new() }),
            None => all.last_mut().unwrap().lines.push(line),
        }
    }
    all
}

impl Difference<'_> {
    fn part(&self, name: &str) -> &str {
        self.lines
            .iter()
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or_else(|| panic!("{}: no {name}", self.id))
    }
}

/// The page.
pub(crate) fn page(suite: &[Case], table: &[Case], differences: &[Difference<'_>]) -> String {
    let good = |letter: &str| {
        let of = table.iter().filter(|case| case.id.starts_with(letter));
        (of.clone().filter(|case| case.miss.is_none()).count(), of.count())
    };
    let ((expressions, all_expressions), (templates, all_templates)) = (good("E"), good("T"));
    let mut text = String::from(
        "# How near the language is to HashiCorp's\n\n\
         <!-- Written by tests/conformance; `UPDATE_GOLDEN=1 cargo test -p poolwright-language --test conformance` writes it anew. -->\n\n\
         The syntax and the expressions are those of HashiCorp's configuration language. How near they are is measured in two ways.\n\n\
         **Rules.** For each case of HashiCorp's own tests there is one of ours, with other names and values, that tests the same rule: \
         the 15 files of its `specsuite`, and the 283 expressions and templates of the two tables in `hclsyntax` (hcl 2.25.0). \
         What a case must give is checked against that implementation (`tests/conformance/run.sh`); `cargo test` holds the language against it.\n\n\
         | | cases | as the reference |\n|---|--:|--:|\n",
    );
    let suite_good = suite.iter().filter(|case| case.miss.is_none()).count();
    for (name, good, all) in [
        ("files of the suite", suite_good, suite.len()),
        ("expressions", expressions, all_expressions),
        ("templates", templates, all_templates),
        ("expressions and templates", expressions + templates, all_expressions + all_templates),
    ] {
        let _ = writeln!(text, "| {name} | {all} | {good} |");
    }
    let refined: Vec<&str> = table.iter().filter(|case| case.refined).map(|case| case.id.as_str()).collect();
    let _ = write!(
        text,
        "\nWhat is compared: the value, or that there is a fault; the type of what is not known yet (ours may say more, never less); whether the value is sensitive. \
         Lists and tuples are one kind of value here, maps and objects another, and there is one mark.\n\
         In {} of the cases the reference knows more of an unknown value than its type: a range, a length, a prefix, that it is not null. \
         That is no part of its specification, and values here have a type only; these cases count by value and type: {}.\n\n\
         In the suite, a block that is neither on one line nor over several is a fault at another column of the same line: \
         at the attribute that belongs on a line of its own, not at the end of the line.\n\n\
         ## Cases that give something else\n\n\
         | case | rule | expression | the reference | reason |\n|---|---|---|---|---|\n",
        refined.len(),
        refined.join(", "),
    );
    for case in table.iter().chain(suite).filter(|case| case.miss.is_some()) {
        let wanted = case.wanted.as_ref().map_or_else(|| "a fault".to_owned(), |json| format!("`{json}`"));
        let reason = case.miss.as_deref().unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {wanted} | {reason} |",
            case.id,
            case.rule,
            code(case.text.trim())
        );
    }
    text.push_str(
        "\n## Differences\n\n\
         **Expressions at random.** `tests/conformance/run.sh` makes 20,000 expressions, evaluates them on both sides, traces each difference to the smallest part that differs, \
         and fails when that part falls under none of these rules.\n\n\
         | rule | for example | the reference | here | why |\n|---|---|---|---|---|\n",
    );
    for difference in differences {
        let [example, there, here, why] =
            ["> ", "there: ", "here: ", "why: "].map(|name| difference.part(name));
        let _ = writeln!(text, "| {} | {} | {there} | {here} | {why} |", difference.id, code(example));
    }
    text.push_str(
        "\nBeyond what the random expressions reach: an object in which a key is written twice is a fault (there the last one wins), \
         and a quoted text ends on its line on both sides.\n",
    );
    text
}

/// Text as code in a table.
fn code(text: &str) -> String {
    let text = text.replace('|', "\\|").replace('\n', " ↵ ");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
