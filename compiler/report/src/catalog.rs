//! The catalogue as tables: what is known, and below it where from.

use poolwright_catalog::{AcceleratorFacts, InstanceFacts, Provenance};

use crate::layout::{WIDTH, table};

/// Accelerators; `(u)` marks a row that nobody has checked against the real thing.
#[must_use]
pub fn accelerators(all: &[AcceleratorFacts]) -> String {
    let mut sources = Sources::default();
    let mut rows =
        vec![["accelerator", "memory", "resource", "from", "", "products"].map(str::to_owned).to_vec()];
    rows.extend(all.iter().map(|facts| {
        vec![
            facts.name.clone(),
            facts.memory.to_string(),
            facts.resource.clone(),
            sources.number(&facts.provenance),
            mark(&facts.provenance).to_owned(),
            facts.products.join(" "),
        ]
    }));
    table(&rows, &[]) + &sources.list()
}

/// Instance types.
#[must_use]
pub fn instances(all: &[InstanceFacts]) -> String {
    let mut sources = Sources::default();
    let mut rows = vec![
        ["provider", "instance type", "accelerator", "GPUs", "vCPUs", "memory", "from", ""]
            .map(str::to_owned)
            .to_vec(),
    ];
    rows.extend(all.iter().map(|facts| {
        vec![
            facts.provider.clone(),
            facts.instance_type.clone(),
            facts.accelerator.clone(),
            facts.gpus.to_string(),
            facts.vcpus.to_string(),
            facts.memory.to_string(),
            sources.number(&facts.provenance),
            mark(&facts.provenance).to_owned(),
        ]
    }));
    table(&rows, &[3, 4]) + &sources.list()
}

fn mark(provenance: &Provenance) -> &'static str {
    if provenance.verified { "" } else { "(u)" }
}

/// Sources in the order in which rows name them: each is a sentence, too long for a column.
#[derive(Default)]
struct Sources {
    lines: Vec<String>,
}

impl Sources {
    fn number(&mut self, provenance: &Provenance) -> String {
        let line = format!("{}  {}", provenance.date, provenance.source);
        let known = self.lines.iter().position(|known| *known == line);
        let index = known.unwrap_or_else(|| {
            self.lines.push(line);
            self.lines.len() - 1
        });
        format!("[{}]", index + 1)
    }

    fn list(&self) -> String {
        let mut text = String::from("\n");
        for (index, line) in self.lines.iter().enumerate() {
            let mut row = format!("{:<6}", format!("[{}]", index + 1));
            for word in line.split(' ') {
                if row.chars().count() + word.chars().count() > WIDTH {
                    text.push_str(row.trim_end());
                    text.push('\n');
                    row = " ".repeat(18);
                }
                row.push_str(word);
                row.push(' ');
            }
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text.push_str("(u): nobody has checked it against the real thing\n");
        text
    }
}
