//! The modules that people start from: each is formatted, documented as it is, and holds in a fleet what it promises.

use std::path::{Path, PathBuf};

use poolwright_diagnostics::FileId;
use poolwright_syntax::tree::{Block, Expr, ExprKind};

use crate::support::{Run, copy, edit, golden, poolwright, root, scratch};

const MODULES: [&str; 6] = [
    "eks-gpu-pools",
    "route-cost-first",
    "route-locality-first",
    "route-performance-first",
    "slurm-superpod",
    "tenant",
];

fn folder(module: &str) -> PathBuf {
    root().join("modules").join(module)
}

/// A copy of a module with its example.
fn copied(module: &str) -> tempfile::TempDir {
    let place = scratch();
    copy(&folder(module), place.path());
    place
}

fn text(module: &str, file: &str) -> String {
    std::fs::read_to_string(folder(module).join(file)).unwrap()
}

/// The blocks of a module's file.
fn blocks(module: &str, file: &str) -> (String, Vec<Block>) {
    let text = text(module, file);
    let (tree, faults) = poolwright_syntax::parse(FileId(0), &text);
    assert!(faults.is_empty(), "{module}/{file}: {faults:?}");
    let blocks = tree.body.blocks().cloned().collect();
    (text, blocks)
}

fn value<'a>(block: &'a Block, name: &str) -> Option<&'a Expr> {
    block.body.attributes().find(|attribute| &*attribute.name.text == name).map(|attribute| &attribute.value)
}

/// An expression as it is written, in one line.
fn written(text: &str, expr: &Expr) -> String {
    let mut line = String::new();
    for part in text[expr.span.start as usize..expr.span.end as usize].lines() {
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
        if !line.is_empty() {
            line.push_str(if line.ends_with('{') || part.starts_with('}') { " " } else { ", " });
        }
        line.push_str(&part);
    }
    line
}

fn description(block: &Block) -> String {
    let Some(Expr { kind: ExprKind::String(text), .. }) = value(block, "description") else {
        panic!("`{}` has no description", block.labels[0].text)
    };
    assert!(text.len() > 8 && !text.ends_with('.'), "{text}");
    text.replace('|', "\\|")
}

fn inputs(module: &str) -> String {
    let (text, blocks) = blocks(module, "variables.pool.hcl");
    let mut table = "| input | type | default | meaning |\n|---|---|---|---|\n".to_owned();
    for block in &blocks {
        assert_eq!(&*block.kind.text, "variable");
        let ty = written(&text, value(block, "type").unwrap());
        let default = value(block, "default")
            .map_or("**required**".to_owned(), |default| format!("`{}`", written(&text, default)));
        let name = &block.labels[0].text;
        table.push_str(&format!("| `{name}` | `{ty}` | {default} | {} |\n", description(block)));
    }
    table
}

fn outputs(module: &str) -> String {
    let (_, blocks) = blocks(module, "outputs.pool.hcl");
    let mut table = "| output | meaning |\n|---|---|\n".to_owned();
    for block in &blocks {
        assert_eq!(&*block.kind.text, "output");
        table.push_str(&format!("| `{}` | {} |\n", block.labels[0].text, description(block)));
    }
    table
}

/// The example's use of the module, as a fleet that has it in its folder writes it.
fn usage(module: &str) -> String {
    let text = text(module, "example/usage.pool.hcl");
    assert!(text.contains("\"../\""), "{module}");
    text.replace("\"../\"", &format!("\"./modules/{module}\""))
}

/// A text with what stands between two remarks replaced.
fn filled(text: &str, file: &str, with: &str) -> String {
    let start = format!("<!-- from {file} -->\n");
    let (before, rest) = text.split_once(&start).unwrap_or_else(|| panic!("no {start}"));
    let (_, after) = rest.split_once("<!-- to here -->\n").unwrap();
    format!("{before}{start}{with}<!-- to here -->\n{after}")
}

#[test]
fn each_is_listed_and_tidy() {
    let mut names: Vec<String> = std::fs::read_dir(root().join("modules"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, MODULES);
    let list = std::fs::read_to_string(root().join("modules/README.md")).unwrap();
    assert!(MODULES.iter().all(|name| list.contains(&format!("| [{name}]({name}) | "))), "{list}");
    let run = poolwright(&root(), &["fmt", "--check", "--recursive", "modules"]).expect(0);
    assert!(run.stdout.is_empty(), "{}", run.all());
}

#[test]
fn each_page_says_what_the_module_takes_and_gives() {
    for module in MODULES {
        let file = folder(module).join("README.md");
        let page = std::fs::read_to_string(&file).unwrap();
        let page = filled(&page, "example/usage.pool.hcl", &format!("```hcl\n{}```\n", usage(module)));
        let page = filled(&page, "variables.pool.hcl", &inputs(module));
        golden(&file, &filled(&page, "outputs.pool.hcl", &outputs(module)));
    }
}

/// The example as it lies there.
#[test]
fn each_example_is_valid_and_its_tests_pass() {
    for module in MODULES {
        let place = copied(module);
        let fleet = place.path().join("example");
        let run = poolwright(&fleet, &["validate"]).expect(0);
        assert!(!run.stdout.contains("warning["), "{module}: {}", run.all());
        let run = poolwright(&fleet, &["test"]).expect(0);
        let tests = text(module, "example/tests.pool.hcl").matches("\ntest \"").count() + 1;
        assert!(tests >= 2, "{module}");
        assert!(run.stdout.ends_with(&format!("{tests} tests: {tests} passed, 0 failed\n")), "{}", run.all());
        poolwright(&fleet, &["plan"]).expect(2);
    }
}

/// The use that the page shows, in a fleet that has all modules in its folder.
#[test]
fn each_usage_is_compiled_as_it_is_shown() {
    for module in MODULES {
        let place = scratch();
        copy(&folder(module).join("example"), place.path());
        copy(&root().join("modules"), &place.path().join("modules"));
        let page = text(module, "README.md");
        let shown = page.split("```hcl\n").nth(1).unwrap().split("```").next().unwrap();
        std::fs::write(place.path().join("usage.pool.hcl"), shown).unwrap();
        poolwright(place.path(), &["test"]).expect(0);
        let run = poolwright(place.path(), &["compile", "--out", "out"]).expect(0);
        assert!(run.stderr.contains("wrote ") || run.stdout.contains("wrote "), "{}", run.all());
    }
}

/// A run of `validate` on a module's example after one edit of its use.
fn refused(module: &str, from: &str, to: &str) -> Run {
    let place = copied(module);
    edit(&place.path().join("example/usage.pool.hcl"), from, to);
    poolwright(&place.path().join("example"), &["validate", "--format", "short"]).expect(3)
}

#[test]
fn wrong_inputs_are_refused_with_what_was_given() {
    let mut faults = String::new();
    for (module, from, to, said) in [
        ("eks-gpu-pools", "market = \"spot\"", "market = \"sopt\"", "a100-spot has `sopt`"),
        ("eks-gpu-pools", "\"0..4\",", "\"0..4\", max_price = \"$9/node/h\",", "remove `max_price` of a100"),
        (
            "eks-gpu-pools",
            "spot_mean_time = \"10h\"",
            "spot_mean_time = \"10h\"\n  idle_after = \"5s\"",
            "5s is less than",
        ),
        (
            "slurm-superpod",
            "  region ",
            "  units = 5\n  region ",
            "1 to 4 scalable units under one layer of spines, not 5",
        ),
        ("slurm-superpod", "  region ", "  units = 1.5\n  region ", "not 1.5"),
        ("slurm-superpod", "  region ", "  absent = 32\n  region ", "a unit has 32 nodes, and 32 of them"),
        ("slurm-superpod", "  region ", "  host = \"DGX_\"\n  region ", "`DGX_` begins no name of a host"),
        ("slurm-superpod", "[tenant.language, tenant.vision]", "[]", "name one tenant at least"),
        (
            "tenant",
            "$80000/month",
            "$70000/month",
            "nlp can spend up to $70,080.00/month, its budget is $70,000.00/month",
        ),
        ("tenant", "gpus = 32, borrow = 16", "gpus = 32, borrow = -1", "GPUs are counted from 0"),
        (
            "tenant",
            "borrow = 16 }",
            "borrow = 16 }, { pool = pool.h100, gpus = 8 }",
            "one quota a pool: h100, h100",
        ),
        ("tenant", "weight ", "weight = 0 #", "a weight of 0 would never be served"),
        (
            "route-cost-first",
            "[pool.aliyun-a100, pool.aws-a100-spot]",
            "[pool.aliyun-a100]",
            "two pools at least, and 1 is given",
        ),
        ("route-cost-first", "\"15m\"", "\"25h\"", "1d1h on every step"),
        ("route-performance-first", "patience = \"20m\"", "until = \"started\"", "not `started`"),
        ("route-locality-first", "[\"eu-fra\", \"eu-*\"]", "[]", "name the regions, nearest first"),
        ("route-locality-first", "patience = \"10m\"", "back = \"always\"", "not `always`"),
    ] {
        let run = refused(module, from, to);
        let errors = run.stdout.lines().filter(|line| line.contains(": error[")).count();
        if errors != 1 || !run.stdout.contains(said) {
            faults.push_str(&format!("--- {module}, {to}\n{}", run.stdout));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// The mission's own sentence: spot at AWS, and after 15 minutes Alibaba.
#[test]
fn cost_first_opens_the_dearer_pool_after_15_minutes() {
    let place = copied("route-cost-first");
    let run = poolwright(&place.path().join("example"), &["route", "explain", "training"]).expect(0);
    golden(&root().join("tests/golden/modules/cost-first.txt"), &run.stdout);
    assert!(
        run.stdout.contains("  at 0:00  aws-a100-spot ") && run.stdout.contains("  at 0:15  aliyun-a100 ")
    );
}

/// The files of a compiled example, below the folder of its target.
fn compiled(example: &Path, target: &str, file: &str) -> String {
    poolwright(example, &["compile", "--out", "out"]).expect(0);
    std::fs::read_to_string(example.join("out").join(target).join(file)).unwrap()
}

#[test]
fn the_superpod_is_what_slurm_reads() {
    let place = copied("slurm-superpod");
    let example = place.path().join("example");
    let target = "slurm/superpod--cluster";
    for file in ["poolwright.conf", "gres.conf", "topology.conf"] {
        golden(&root().join("tests/golden/modules/superpod").join(file), &compiled(&example, target, file));
    }
    // Four units, of which the last lacks the node whose ports UFM has.
    edit(&example.join("usage.pool.hcl"), "  price ", "  units = 4\n  absent = 1\n  price ");
    let topology = compiled(&example, target, "topology.conf");
    for line in [
        "SwitchName=spine Switches=su1,su2,su3,su4\n",
        "SwitchName=su1 Nodes=dgx-[001-032]\n",
        "SwitchName=su4 Nodes=dgx-[097-127]\n",
    ] {
        assert!(topology.contains(line), "{topology}");
    }
    let gres = compiled(&example, target, "gres.conf");
    assert!(
        gres.contains("\nNodeName=dgx-[001-127] Name=gpu Type=h100-80gb-sxm File=/dev/nvidia[0-7]\n"),
        "{gres}"
    );
}

#[test]
fn the_pools_of_eks_are_groups_of_the_size_and_the_bid_that_were_given() {
    let place = copied("eks-gpu-pools");
    let example = place.path().join("example");
    let group = |name: &str| -> serde_json::Value {
        let file = format!("auto-scaling-group/{name}--main.json");
        serde_json::from_str(&compiled(&example, "aws/use1", &file)).unwrap()
    };
    let spot = group("a100-spot");
    assert_eq!((&spot["MinSize"], &spot["MaxSize"]), (&0.into(), &12.into()));
    assert_eq!(spot["MixedInstancesPolicy"]["InstancesDistribution"]["SpotMaxPrice"], "16.0000");
    let on_demand = group("a100");
    assert_eq!((&on_demand["MinSize"], &on_demand["MaxSize"]), (&0.into(), &4.into()));
    let flavor = compiled(&example, "kubernetes/eks", "kueue.x-k8s.io/resourceflavor/a100-spot.yaml");
    assert!(flavor.contains("key: nvidia.com/gpu"), "{flavor}");
    let queue = compiled(&example, "kubernetes/eks", "kueue.x-k8s.io/clusterqueue/batch--nlp.yaml");
    assert!(queue.find("name: a100-spot") < queue.find("name: a100\n"), "spot is tried first: {queue}");
}
