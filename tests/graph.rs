//! `poolwright graph`: each form says the same, is of its language, and holds what names can have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use poolwright_expression::Type;
use poolwright_language::schema::{Schema, schema};
use poolwright_model::{Address, Fleet, graph};
use serde_json::Value;

use crate::support::{base, example, golden, poolwright, root};

mod dot;
mod mermaid;

/// What a form says: blocks with the modules that they stand in, and references with their labels.
#[derive(Debug, Default, PartialEq)]
struct Said {
    /// By name: the lines of its label, and the labels of the frames around it.
    nodes: BTreeMap<String, (Vec<String>, Vec<String>)>,
    edges: Vec<(String, String, String)>,
}

fn json(folder: &Path) -> Value {
    let run = poolwright(folder, &["graph", "--format", "json"]).expect(0);
    serde_json::from_str(&run.stdout).unwrap()
}

/// What the JSON says, as the pictures say it.
fn said(graph: &Value) -> Said {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut said = Said::default();
    for node in graph["nodes"].as_array().unwrap() {
        let address = Address::new(text(&node["address"]));
        let (module, own) = address.split_module();
        assert_eq!(node["module"], module);
        let lines = [Some(own), node["note"].as_str()].into_iter().flatten().map(str::to_owned).collect();
        let mut around = "";
        let mut frames = Vec::new();
        for path in address.modules() {
            frames.push(path[around.len()..].trim_start_matches('.').to_owned());
            around = path;
        }
        said.nodes.insert(address.as_str().to_owned(), (lines, frames));
    }
    for edge in graph["edges"].as_array().unwrap() {
        let label = match edge["step"].as_object() {
            None => text(&edge["attribute"]),
            Some(step) => {
                let patience = step["for"].as_i64().map(|seconds| {
                    let seconds = poolwright_expression::Number::from(seconds);
                    format!(", for {}", poolwright_expression::quantity::Duration(seconds))
                });
                format!("{} {}{}", step["number"], text(&step["name"]), patience.unwrap_or_default())
            }
        };
        said.edges.push((text(&edge["from"]), text(&edge["to"]), label));
    }
    said
}

/// What cannot be seen as DOT has it: as in Rust, `\u{a}`.
fn seen(said: &Said) -> Said {
    let text = |text: &String| -> String {
        let one = |c: char| if c.is_control() { c.escape_unicode().to_string() } else { c.to_string() };
        text.chars().map(one).collect()
    };
    let texts = |texts: &Vec<String>| texts.iter().map(text).collect::<Vec<_>>();
    Said {
        nodes: said.nodes.iter().map(|(name, (a, b))| (text(name), (texts(a), texts(b)))).collect(),
        edges: said.edges.iter().map(|(a, b, c)| (text(a), text(b), text(c))).collect(),
    }
}

/// Every form of a folder's graph against the JSON, which is held against its schema.
fn agree(folder: &Path) -> Value {
    let graph = json(folder);
    let schema = poolwright(Path::new("/"), &["schema", "graph"]).expect(0).stdout;
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let faults: Vec<String> = validator.iter_errors(&graph).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    let wanted = said(&graph);
    let print = |form: &[&str]| poolwright(folder, &[&["graph"], form].concat()).expect(0).stdout;
    let dot = print(&[]);
    assert_eq!(dot, print(&["--format", "dot"]));
    assert_eq!(dot::read(&dot), seen(&wanted), "{dot}");
    let mermaid = print(&["--format", "mermaid"]);
    assert_eq!(mermaid::read(&mermaid), wanted, "{mermaid}");
    graph
}

#[test]
fn the_quickstart() {
    let folder = example("quickstart");
    agree(folder.path());
    for (form, name) in [("dot", "graph.dot"), ("mermaid", "graph.mmd"), ("json", "graph.json")] {
        let run = poolwright(folder.path(), &["graph", "--format", form]).expect(0);
        golden(&root().join("tests/golden/quickstart").join(name), &run.stdout);
    }
}

/// The examples use the whole language: every attribute that refers is met.
#[test]
fn the_tour_and_the_challenges() {
    let quickstart = example("quickstart");
    let roles =
        "class \"ray\" {\n  priority = 10\n  roles    = { head = { pools = [pool.aliyun-a100] } }\n}\n";
    std::fs::write(quickstart.path().join("roles.pool.hcl"), roles).unwrap();
    let tour = example("tour");
    let mut folders = vec![quickstart, tour];
    let challenges = std::fs::read_dir(root().join("examples/challenges")).unwrap();
    let names = challenges.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    folders.extend(names.map(|name| example(&format!("challenges/{name}"))));
    let mut met = BTreeSet::new();
    for folder in &folders {
        let graph = agree(folder.path());
        let edges = graph["edges"].as_array().unwrap();
        met.extend(edges.iter().map(|edge| edge["attribute"].as_str().unwrap().to_owned()));
    }
    assert_eq!(met, graph::ATTRIBUTES.iter().map(|it| (*it).to_owned()).collect());
}

/// A module is a frame around its blocks.
#[test]
fn a_module() {
    let run =
        poolwright(&root(), &["graph", "modules/slurm-superpod/example", "--format", "mermaid"]).expect(0);
    golden(&root().join("tests/golden/modules/superpod/graph.mmd"), &run.stdout);
    let graph = agree(&root().join("modules/slurm-superpod/example"));
    let within = graph["nodes"].as_array().unwrap().iter().filter(|node| node["module"] == "module.superpod");
    assert_eq!(within.count(), 8, "target, tier, fabric, pool, two classes, two queues");
}

/// Names as a fleet can have them: in keys stands anything.
const NAMES: &str = r##"
locals {
  keys = { a = "he said \"x\"", b = "a[0] | {b} <c> & d; #e", c = "back\\slash \\N", d = "two\nlines", e = "日本", f = "end", g = "a.b.lot.c", h = "`x`" }
}

module "edge" {
  source   = "./modules/site"
  for_each = toset(values(local.keys))
}
"##;

const SITE: &str = r#"
class "inner" {
  name     = "inner"
  priority = 100
}

module "deep" { source = "../deep" }
"#;

#[test]
fn any_name_is_held_by_every_form() {
    let folder = base();
    std::fs::create_dir_all(folder.path().join("modules/site")).unwrap();
    std::fs::create_dir_all(folder.path().join("modules/deep")).unwrap();
    std::fs::write(folder.path().join("names.pool.hcl"), NAMES).unwrap();
    std::fs::write(folder.path().join("modules/site/site.pool.hcl"), SITE).unwrap();
    std::fs::write(
        folder.path().join("modules/deep/deep.pool.hcl"),
        "tier \"deep\" {\n  for_each = toset([\"x \\\"y\\\"\"])\n  name     = \"deep\"\n  kind     = \"on-demand\"\n}\n",
    )
    .unwrap();
    let graph = agree(folder.path());
    let modules: BTreeSet<&str> =
        graph["nodes"].as_array().unwrap().iter().map(|node| node["module"].as_str().unwrap()).collect();
    assert_eq!(modules.len(), 1 + 8 + 8, "{modules:#?}");
    assert!(modules.contains("module.edge[\"日本\"].module.deep"), "{modules:#?}");
}

/// Attributes of a block that may hold references, as the graph calls them.
fn references(schema: &Schema) -> BTreeSet<String> {
    fn walk(at: &Type, path: &str, found: &mut BTreeSet<String>) {
        match at {
            Type::Block(_) => drop(found.insert(path.to_owned())),
            Type::List(of) | Type::Set(of) | Type::Map(of) => walk(of, path, found),
            Type::OneOf(types) => types.iter().for_each(|it| walk(it, path, found)),
            Type::Object(object) => object.fields.iter().for_each(|field| {
                walk(&field.ty, &format!("{path}.{}", field.name), found);
            }),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    for (kind, block) in &schema.blocks {
        for (name, attribute) in &block.attributes {
            let mut paths = BTreeSet::new();
            walk(&attribute.ty, name, &mut paths);
            let step = |path: String| if kind == "route.step" { format!("step.{path}") } else { path };
            found.extend(paths.into_iter().map(step));
        }
    }
    found
}

/// A reference that the language gets later is drawn too.
#[test]
fn every_attribute_that_refers_is_an_edge() {
    let mut wanted = references(schema());
    // The steps that are made of it are drawn; and an accelerator of a device is the catalogue's as a rule.
    assert!(wanted.remove("candidates") && wanted.remove("node.devices.accelerator"), "{wanted:?}");
    wanted.insert("lot".to_owned());
    let drawn: BTreeSet<String> = graph::ATTRIBUTES.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(drawn, wanted);
    let schema = poolwright(Path::new("/"), &["schema", "graph"]).expect(0).stdout;
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let listed = &schema["properties"]["edges"]["items"]["properties"]["attribute"]["enum"];
    assert_eq!(*listed, serde_json::json!(graph::ATTRIBUTES));
}

/// Ten thousand blocks have one node each and no edge twice, and the text grows with them and no faster.
#[test]
fn a_large_fleet_is_drawn_in_proportion() {
    let text = std::fs::read_to_string(root().join("tests/golden/quickstart/fleet.json")).unwrap();
    let small: Fleet = serde_json::from_str(&text).unwrap();
    let sized = |count: usize| {
        let mut fleet = small.clone();
        let (queue, pool) = (small.queues.values().next().unwrap(), small.pools.values().next().unwrap());
        for number in 0..count {
            let (mut queue, mut pool) = (queue.clone(), pool.clone());
            queue.meta.address = Address::new(format!("queue.many[\"{number:05}\"]"));
            pool.meta.address = Address::new(format!("pool.many[\"{number:05}\"]"));
            for lot in &mut pool.lots {
                lot.meta.address = pool.meta.address.nested("lot", lot.meta.address.label());
            }
            fleet.queues.insert(queue.meta.address.clone(), queue);
            fleet.pools.insert(pool.meta.address.clone(), pool);
        }
        let graph = graph::graph(&fleet);
        let nodes: BTreeSet<&Address> = graph.nodes.iter().map(|node| &node.address).collect();
        assert_eq!(nodes.len(), graph.nodes.len(), "a block twice");
        let (dot, mermaid) =
            (poolwright_report::dot(&fleet, &graph), poolwright_report::mermaid(&fleet, &graph));
        (graph.nodes.len(), graph.edges.len(), dot.len(), mermaid.len())
    };
    let (none, half, whole) = (sized(0), sized(2500), sized(5000));
    assert_eq!(whole.0 - none.0, 2 * (half.0 - none.0));
    assert_eq!(whole.1 - none.1, 2 * (half.1 - none.1));
    assert_eq!(whole.2 - none.2, 2 * (half.2 - none.2));
    assert_eq!(whole.3 - none.3, 2 * (half.3 - none.3));
    assert!(whole.0 >= 10_000, "{whole:?}");
}

#[test]
fn mermaid_is_told_when_it_will_not_draw() {
    let folder = base();
    let many = "class \"many\" {\n  count    = 120\n  priority = 10 + count.index\n}\n\
        queue \"many\" {\n  count   = 120\n  class   = class.many[count.index]\n  allow   = [class.batch]\n  \
        tenants = [tenant.nlp]\n  pools   = [pool.hpc, pool.gaudi][*]\n}\n";
    let many = many.replace("[pool.hpc, pool.gaudi][*]", "[pool.hpc]");
    std::fs::write(folder.path().join("many.pool.hcl"), many).unwrap();
    let run = poolwright(folder.path(), &["graph", "--format", "mermaid"]);
    let edges = run.stdout.lines().filter(|line| line.contains(">|")).count();
    assert_eq!(run.stderr.contains("PW9212"), edges > 500, "{}", run.all());
    assert!(edges <= 500, "{edges}");
    let text = std::fs::read_to_string(folder.path().join("many.pool.hcl")).unwrap();
    std::fs::write(folder.path().join("many.pool.hcl"), text.replace("120", "200")).unwrap();
    let run = poolwright(folder.path(), &["graph", "--format", "mermaid"]).expect(0);
    assert!(run.stderr.contains("warning[PW9212]") && run.stderr.contains("maxEdges"), "{}", run.stderr);
    let quiet = poolwright(folder.path(), &["graph", "-q", "--format", "mermaid"]).expect(0);
    assert_eq!((quiet.stderr.as_str(), quiet.stdout), ("", run.stdout));
    for form in ["dot", "json"] {
        let run = poolwright(folder.path(), &["graph", "--format", form]).expect(0);
        assert!(!run.stderr.contains("PW9212"), "{}", run.stderr);
    }
}

#[test]
fn what_is_wrong_is_told_in_the_form_of_the_graph() {
    let folder = base();
    std::fs::write(folder.path().join("wrong.pool.hcl"), "class \"wrong\" { priority = \"high\" }\n")
        .unwrap();
    for form in ["dot", "mermaid"] {
        let run = poolwright(folder.path(), &["graph", "--format", form]).expect(3);
        assert!(run.stdout.is_empty() && run.stderr.starts_with("error["), "{}", run.all());
    }
    let run = poolwright(folder.path(), &["graph", "--format", "json"]).expect(3);
    let said: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(said["schema"], "poolwright/diagnostics/v1");
    // Forms of other commands are none of this one, and its own are none of theirs.
    for words in
        [&["graph", "--format", "short"][..], &["plan", "--format", "dot"], &["--format", "dot", "plan"]]
    {
        let run = poolwright(folder.path(), words).expect(3);
        assert!(run.stderr.contains("PW9211"), "{}", run.all());
    }
}
