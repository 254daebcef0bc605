//! What people read: plans, costs, ladders and test runs as text (UX.md). The answer first, then the evidence;
//! destroys before creates; the next command to type last.
//!
//! Pure: values in, text out. Diagnostics have renderers of their own; nothing is printed here.
//!
//! Enter at [`plan()`], [`cost()`], [`ladder()`], [`dot()`], [`value()`].

mod catalog;
mod cost;
mod explain;
mod field;
mod graph;
mod ladder;
mod layout;
mod money;
mod plan;
mod reference;
mod tests;
mod value;

pub use catalog::{Parts, accelerators, catalog_json, catalog_title, fabrics, instances};
pub use cost::{cost, cost_json};
pub use explain::{Example, Page, RANGES, explain, explain_json, list_codes};
pub use graph::{MOST_EDGES, dot, graph_json, mermaid};
pub use ladder::ladder;
pub use plan::{applied, plan};
pub use reference::{code_tables, codes, functions};
pub use tests::runs;
pub use value::{value, value_line};
