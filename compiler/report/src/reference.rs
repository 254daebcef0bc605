//! Reference pages of what no single crate below sees: all functions, and the diagnostic codes of all crates.

use std::fmt::Write;

use poolwright_diagnostics::CodeInfo;
use poolwright_expression::functions::{self, Function};

use crate::explain::RANGES;

/// Functions that ask the fleet and not only their arguments; the driver and the router have them.
/// Call, what it does, an example.
const OF_THE_FLEET: [(&str, &str, &str); 2] = [
    (
        "price(block)",
        "The price of a pool or lot, money/gpu/h; of a pool that of its first lot.",
        "price(pool.aws-a100-spot) <= money(\"$2.10/gpu/h\")",
    ),
    (
        "decide(facts)",
        "What the router would do with a job. `queue`, `gpus` and `waited` (a duration) are required; `tenant`, `nodes`, \
         `class`, `no_quota`, `no_capacity`, `price`, `attempt`, `lost` and `open` may be given.",
        "decide({ queue = queue.urgent, gpus = 8, waited = \"900s\" }).admit == pool.hpc-h100",
    ),
];

/// The codes of every crate but the program itself, by what the crate is for.
#[must_use]
pub fn code_tables() -> Vec<(&'static str, &'static [CodeInfo])> {
    vec![
        ("Reading the text", poolwright_syntax::codes::CODES),
        ("Values, units and expressions", poolwright_expression::codes::CODES),
        ("The catalogue", poolwright_catalog::codes::CODES),
        ("Blocks, names and references", poolwright_language::codes::CODES),
        ("Rules between blocks", poolwright_layout::codes::CODES),
        ("Prices", poolwright_pricing::codes::CODES),
        ("Routes", poolwright_router::codes::CODES),
        ("Targets and their folders", poolwright_target::codes::CODES),
        ("Kubernetes", poolwright_target_kubernetes::codes::CODES),
        ("AWS", poolwright_target_aws::codes::CODES),
        ("Alibaba Cloud", poolwright_target_alibaba::codes::CODES),
        ("Slurm", poolwright_target_slurm::codes::CODES),
        ("Plans", poolwright_engine::codes::CODES),
        ("Policies and tests", poolwright_policies::codes::CODES),
        ("The fleet's folder", poolwright_driver::codes::CODES),
    ]
}

/// The index of the functions by subject, and a page of each: file name and text, relative to the reference.
#[must_use]
pub fn functions() -> Vec<(String, String)> {
    let mut pages = vec![("functions.md".to_owned(), functions_index())];
    pages.extend(
        functions::all().map(|function| (format!("functions/{}.md", function.name), function_page(function))),
    );
    pages
}

fn functions_index() -> String {
    let mut text = String::from(
        "# Functions\n\nEvery function of the language, by subject. A parameter with `?` may be left out, one with `...` \
         repeated. Functions are pure: the same files give the same plan, so that there is no clock, no environment, no \
         network and no chance. They have the names and the behaviour of OpenTofu's; where one differs, its page says so \
         and why.\n",
    );
    for (subject, functions) in functions::by_subject() {
        let _ = write!(text, "\n## {}\n\n| function | what it does |\n|---|---|\n", subject.title());
        for function in functions {
            let link = format!("[`{}`](functions/{}.md)", function.signature(), function.name);
            let _ = writeln!(text, "| {link} | {} |", cell(function.doc));
        }
    }
    text.push_str(
        "\n## Of the fleet\n\nThey ask the fleet and its prices: in policies and tests.\n\n\
         | call | what it does | example |\n|---|---|---|\n",
    );
    for (call, doc, example) in OF_THE_FLEET {
        let _ = writeln!(text, "| `{call}` | {} | {} |", cell(doc), code(example));
    }
    text.push_str(
        "\n## Not there\n\nKnown from elsewhere; a call of one says the same.\n\n\
         | function | why not | instead |\n|---|---|---|\n",
    );
    for excluded in functions::excluded() {
        let _ =
            writeln!(text, "| `{}` | {} | {} |", excluded.name, cell(excluded.why), cell(excluded.instead));
    }
    text
}

/// What one function does: its parameters, its result, examples, what else there is to know.
fn function_page(function: &Function) -> String {
    let mut text = format!("# {}\n\n    {}\n\n{}\n\n", function.name, function.signature(), function.doc);
    if !function.parameters.is_empty() {
        text.push_str("| parameter | what it is |\n|---|---|\n");
        for (index, (name, doc)) in function.parameters.iter().enumerate() {
            let is_last = index + 1 == function.parameters.len();
            let how = match (function.variadic && is_last, index < function.required) {
                (true, true) => " (once or more)",
                (true, false) => " (any number of times)",
                (false, true) => "",
                (false, false) => " (may be left out)",
            };
            let _ = writeln!(text, "| `{name}`{how} | {} |", cell(doc));
        }
        text.push('\n');
    }
    let _ = write!(text, "Gives {}.\n\n## Examples\n\n```\n", (function.returns)().describe());
    for (call, value) in function.examples {
        let _ = writeln!(text, "> {call}\n{value}");
    }
    text.push_str("```\n");
    if !function.notes.is_empty() {
        text.push_str("\n## Notes\n\n");
        for note in function.notes {
            let _ = writeln!(text, "- {note}");
        }
    }
    text.push_str("\n[All functions](../functions.md)\n");
    text
}

/// The page of all diagnostic codes; `program` are those of the program itself.
#[must_use]
pub fn codes(program: &'static [CodeInfo]) -> String {
    let mut text = String::from(
        "# Codes of diagnostics\n\nA code is stable: it is never reused and never renumbered, so that scripts can match on \
         it. Each has a page with an example that has it and one that has it no more: \
         [the pages](../codes/), or offline `poolwright explain CODE`.\n\n\
         | range | what it is about |\n|---|---|\n",
    );
    for (begin, about) in RANGES {
        let _ = writeln!(text, "| {begin}xxx | {about} |");
    }
    for (title, table) in code_tables().into_iter().chain([("The command line", program)]) {
        let _ = write!(text, "\n## {title}\n\n| code | what it means |\n|---|---|\n");
        let mut rows: Vec<&CodeInfo> = table.iter().collect();
        rows.sort_by_key(|row| row.code);
        for row in rows {
            let _ = writeln!(text, "| [{0}](../codes/{0}.md) | {1} |", row.code, cell(row.summary));
        }
    }
    text
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Code in a cell: as many backticks around it as it needs.
fn code(text: &str) -> String {
    let text = cell(text);
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_on_its_page_once() {
        let page = codes(&[]);
        for row in code_tables().iter().flat_map(|(_, table)| *table) {
            assert_eq!(page.matches(&format!("| [{}](", row.code)).count(), 1, "{}", row.code);
        }
    }

    #[test]
    fn every_function_has_its_page_and_is_in_the_index() {
        let pages = functions();
        for function in functions::all() {
            let link = format!("| [`{}`](functions/{}.md) |", function.signature(), function.name);
            assert_eq!(pages[0].1.matches(&link).count(), 1, "{}", function.name);
            let name = format!("functions/{}.md", function.name);
            let page = pages.iter().find(|(file, _)| *file == name).map(|(_, text)| text);
            let wanted = format!("# {}\n\n    {}\n", function.name, function.signature());
            assert!(page.is_some_and(|page| page.starts_with(&wanted)), "{}", function.name);
        }
    }
}
