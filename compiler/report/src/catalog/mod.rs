//! The catalogue as tables: what is known, and below it where from. As JSON: [`catalog_json`].

mod json;

use std::collections::BTreeMap;

use poolwright_catalog::{AcceleratorFacts, FabricFacts, InstanceFacts, Provenance, VendorFacts};

pub use self::json::{Parts, catalog_json};
use crate::layout::{WIDTH, count, table};

/// How far lines are set in that belong to the one above.
const INDENT: usize = 4;

/// What the catalogue is of: its version and how much it has.
#[must_use]
pub fn catalog_title() -> String {
    format!(
        "catalogue of {}: {}, {}, {}\n",
        poolwright_catalog::version(),
        count(poolwright_catalog::accelerators().len(), "accelerator"),
        count(poolwright_catalog::instances().len(), "instance type"),
        count(poolwright_catalog::fabrics().len(), "fabric"),
    )
}

/// Accelerators by vendor; `(u)` marks a row that nobody has checked against the real thing.
#[must_use]
pub fn accelerators(all: &[AcceleratorFacts]) -> String {
    let mut sources = Sources::default();
    let mut text = String::new();
    for vendor in poolwright_catalog::vendors() {
        let own: Vec<&AcceleratorFacts> = all.iter().filter(|facts| facts.vendor == vendor.name).collect();
        if own.is_empty() {
            continue;
        }
        text.push_str(&head(vendor, &mut sources));
        let mut rows =
            vec![["accelerator", "memory", "joined", "from", "", "products"].map(str::to_owned).to_vec()];
        rows.extend(own.iter().map(|facts| {
            vec![
                facts.name.clone(),
                facts.memory.to_string(),
                facts.domain.to_string(),
                sources.number(&facts.provenance),
                mark(&facts.provenance).to_owned(),
                facts.products.join(" "),
            ]
        }));
        for line in table(&rows, &[1, 2]).lines() {
            text.push_str(&folded(line));
        }
        text.push_str(&slices(&own, &mut sources));
        text.push('\n');
    }
    text + &sources.list()
}

/// A vendor with what its device plugin and its node labels call things.
fn head(vendor: &VendorFacts, sources: &mut Sources) -> String {
    let mut said = vec![format!("resource {}", vendor.resource)];
    said.extend(vendor.slice_resource("<form>").map(|slice| format!("slices {slice}")));
    said.extend(vendor.product_label.as_ref().map(|label| format!("label {label}")));
    let from = sources.number(&vendor.provenance);
    let mut text = String::new();
    wrapped(&mut text, &format!("{}: ", vendor.name), &format!("{} {from}", said.join(", ")), INDENT);
    text
}

/// A line whose products do not fit has them on the next one.
fn folded(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return format!("{line}\n");
    }
    match line.rsplit_once(' ') {
        Some((row, last)) => {
            format!("{}\n{:>WIDTH$}\n", row.trim_end(), last)
        }
        None => format!("{line}\n"),
    }
}

/// Forms that accelerators can be cut into; models with the same ones together.
fn slices(all: &[&AcceleratorFacts], sources: &mut Sources) -> String {
    let mut same: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for facts in all.iter().filter(|facts| !facts.partitions.is_empty()) {
        let forms = facts.partitions.iter().map(|form| {
            let unchecked = if form.provenance.verified { "" } else { " (u)" };
            format!("{} ×{}{unchecked}", form.form, form.per_gpu)
        });
        let forms: Vec<String> = forms.collect();
        let mut from: Vec<String> =
            facts.partitions.iter().map(|form| sources.number(&form.provenance)).collect();
        from.dedup();
        from.sort();
        from.dedup();
        same.entry(format!("{} {}", forms.join(", "), from.join(" "))).or_default().push(&facts.name);
    }
    let mut text = String::new();
    for (forms, names) in same {
        wrapped(&mut text, "", &format!("{} can be cut into", names.join(", ")), INDENT);
        wrapped(&mut text, &" ".repeat(INDENT), &forms, INDENT);
    }
    text
}

/// Instance types by provider.
#[must_use]
pub fn instances(all: &[InstanceFacts]) -> String {
    let mut sources = Sources::default();
    let mut text = String::new();
    for provider in poolwright_catalog::PROVIDERS {
        let mut rows =
            vec![[*provider, "GPUs", "vCPUs", "memory", "network", "from", ""].map(str::to_owned).to_vec()];
        rows.extend(all.iter().filter(|facts| facts.provider == *provider).map(|facts| {
            let shown = |value: Option<String>| value.unwrap_or_else(|| "?".to_owned());
            vec![
                facts.instance_type.clone(),
                format!("{} × {}", facts.gpus, facts.accelerator),
                shown(facts.vcpus.map(|vcpus| vcpus.to_string())),
                shown(facts.memory.as_ref().map(ToString::to_string)),
                facts.network.as_ref().map(ToString::to_string).unwrap_or_default(),
                sources.number(&facts.provenance),
                mark(&facts.provenance).to_owned(),
            ]
        }));
        if rows.len() > 1 {
            text.push_str(&table(&rows, &[2, 3, 4]));
            text.push('\n');
        }
    }
    text + &sources.list()
}

/// Fabrics by provider, with the instance types that they join and the node labels of their levels.
#[must_use]
pub fn fabrics(all: &[FabricFacts]) -> String {
    let mut sources = Sources::default();
    let mut text = String::new();
    for provider in poolwright_catalog::PROVIDERS {
        let own: Vec<&FabricFacts> = all.iter().filter(|facts| facts.provider == *provider).collect();
        if own.is_empty() {
            continue;
        }
        let mut rows = vec![
            [*provider, "kind", "ports", "total", "a pod asks for", "from", ""].map(str::to_owned).to_vec(),
        ];
        rows.extend(own.iter().map(|facts| {
            let asked = facts.resource.as_ref().map(|resource| match facts.per_node {
                Some(count) => format!("{resource} of {count}"),
                None => resource.clone(),
            });
            vec![
                facts.name.clone(),
                facts.kind.clone(),
                format!("{} × {}", facts.rails, facts.rate),
                facts.total.to_string(),
                asked.unwrap_or_default(),
                sources.number(&facts.provenance),
                mark(&facts.provenance).to_owned(),
            ]
        }));
        let drawn = table(&rows, &[3]);
        let mut lines = drawn.lines();
        text.extend(lines.next().map(|line| format!("{line}\n")));
        for (line, facts) in lines.zip(&own) {
            text.push_str(&format!("{line}\n"));
            wrapped(&mut text, &" ".repeat(INDENT), &facts.instance_types.join(", "), INDENT);
        }
        let mut levels: Vec<&Vec<String>> =
            own.iter().map(|facts| &facts.labels).filter(|labels| !labels.is_empty()).collect();
        levels.dedup();
        for labels in levels {
            wrapped(&mut text, "levels: ", &labels.join(" › "), INDENT);
        }
        text.push('\n');
    }
    text + &sources.list()
}

fn mark(provenance: &Provenance) -> &'static str {
    if provenance.verified { "" } else { "(u)" }
}

/// A text in lines of the page's width; those after the first are set in.
fn wrapped(text: &mut String, start: &str, words: &str, indent: usize) {
    let mut row = start.to_owned();
    for word in words.split(' ') {
        if row.chars().count() + word.chars().count() > WIDTH {
            text.push_str(row.trim_end());
            text.push('\n');
            row = " ".repeat(indent);
        }
        row.push_str(word);
        row.push(' ');
    }
    text.push_str(row.trim_end());
    text.push('\n');
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
        let mut text = String::new();
        for (index, line) in self.lines.iter().enumerate() {
            wrapped(&mut text, &format!("{:<6}", format!("[{}]", index + 1)), line, 18);
        }
        text.push_str("(u): nobody has checked it against the real thing; ?: no source says\n");
        text
    }
}
