//! Reference pages of what no single crate below sees: all functions, and the diagnostic codes of all crates.

use std::fmt::Write;

use poolwright_diagnostics::CodeInfo;
use poolwright_expression::functions;

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

/// The page of all functions, by name.
#[must_use]
pub fn functions() -> String {
    let mut text = String::from(
        "# Functions\n\nEvery function of the language. A parameter with `?` may be left out, one with `...` repeated. \
         Functions are pure: there is no clock, no environment and no network.\n\n\
         | call | what it does | result | example |\n|---|---|---|---|\n",
    );
    let mut all: Vec<_> = functions::all().collect();
    all.sort_by_key(|function| function.name);
    for function in all {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            function.signature(),
            cell(function.doc),
            cell(&(function.returns)().describe()),
            code(function.example),
        );
    }
    text.push_str(
        "\n## Of the fleet\n\nThey ask the fleet and its prices: in policies and tests.\n\n\
         | call | what it does | example |\n|---|---|---|\n",
    );
    for (call, doc, example) in OF_THE_FLEET {
        let _ = writeln!(text, "| `{call}` | {} | {} |", cell(doc), code(example));
    }
    text
}

/// The page of all diagnostic codes; `program` are those of the program itself.
#[must_use]
pub fn codes(program: &'static [CodeInfo]) -> String {
    let mut text = String::from(
        "# Codes of diagnostics\n\nA code is stable: it is never reused and never renumbered, so that scripts can match on \
         it.\n\n| range | what it is about |\n|---|---|\n\
         | PW00xx | reading files, syntax |\n| PW1xxx | names, blocks, attributes |\n| PW2xxx | types and units |\n\
         | PW3xxx | evaluation |\n| PW4xxx | rules between blocks |\n| PW5xxx | what a target cannot express |\n\
         | PW6xxx | plan and state |\n| PW7xxx | apply |\n| PW8xxx | policies and tests |\n\
         | PW9xxx | not built yet, the command line, faults of Poolwright itself |\n",
    );
    for (title, table) in code_tables().into_iter().chain([("The command line", program)]) {
        let _ = write!(text, "\n## {title}\n\n| code | what it means |\n|---|---|\n");
        let mut rows: Vec<&CodeInfo> = table.iter().collect();
        rows.sort_by_key(|row| row.code);
        for row in rows {
            let _ = writeln!(text, "| {} | {} |", row.code, cell(row.summary));
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
            assert_eq!(page.matches(&format!("| {} |", row.code)).count(), 1, "{}", row.code);
        }
    }

    #[test]
    fn every_function_is_on_its_page() {
        let page = functions();
        for function in functions::all() {
            assert!(page.contains(&format!("| `{}` |", function.signature())), "{}", function.name);
        }
    }
}
