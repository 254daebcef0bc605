//! `console` examples of docs/codes are run: what a page shows after `$ command` is what comes, line by line, with
//! lines between them left out. Each runs in a fleet of its own, broken as its row says and mended before what is right.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use poolwright_report::{Example, Page};

use crate::support::{base, example, root, scratch};

/// Where a page begins: `base` is the fleet of tests/ui/base, `quickstart` the example, `nothing` an empty folder.
/// Then what breaks it, and what is done before the commands of what is right; both for a shell.
type Row = (&'static str, &'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    (
        "PW0012",
        "base",
        "n=$(printf '[%.0s' $(seq 70)); m=$(printf ']%.0s' $(seq 70)); echo \"locals { x = $n$m }\" > made.pool.hcl",
        "rm made.pool.hcl",
    ),
    (
        "PW0090",
        "base",
        "mkdir -p live/fleet; cp *.pool.hcl node.tera live/fleet; touch live/fleet/more.pool.hcl",
        "",
    ),
    ("PW0091", "nothing", "mkdir docs", ""),
    ("PW0093", "base", "printf '# a\\n# b\\n# 345678901234567890\\351\\n' > pools.pool.hcl", ""),
    (
        "PW0095",
        "base",
        "mv people.pool.hcl queues.hcl; echo 'queue \"x\" {\n  class   = class.batch\n  tenants = [tenant.nlp]\n  pools   = [pool.hpc]\n}' > x.pool.hcl",
        "",
    ),
    ("PW0110", "base", "echo 'variable \"region\" {}' > v.pool.hcl", ""),
    ("PW0111", "base", "mkdir vars; touch vars/prod.vars", ""),
    ("PW1023", "base", "echo 'variable \"sizes\" { type = list(number) }' > v.pool.hcl", ""),
    ("PW4590", "base", "", ""),
    (
        "PW8001",
        "quickstart",
        "sed -i 's|gpus = 32, borrow = 32|gpus = 32, borrow = \"all\"|' queues.pool.hcl",
        "",
    ),
    (
        "PW8013",
        "nothing",
        "printf 'fleet { name = \"a\" }\nvariable \"n\" {\n  type    = number\n  default = 1\n}\ntest \"no spot\" {\n  variables     = { n = 2 }\n  expect_errors = [\"PW4121\"]\n}\n' > a.pool.hcl",
        "sed -i 's/  expect_errors.*/  assert {\\n    condition     = var.n == 2\\n    error_message = \"n\"\\n  }/' a.pool.hcl",
    ),
    ("PW9201", "nothing", "", ""),
    ("PW9202", "base", "", ""),
    ("PW9204", "base", "poolwright plan -o p.json", ""),
    ("PW9205", "base", "", ""),
    ("PW9208", "base", "", ""),
    ("PW9209", "nothing", "", ""),
    ("PW9211", "base", "", ""),
    ("PW9230", "nothing", "", ""),
    (
        "PW6057",
        "quickstart",
        "poolwright apply --auto-approve -q; echo '{' > live/.poolwright/kubernetes.eks/inventory.json",
        "",
    ),
    ("PW6091", "quickstart", "poolwright apply --auto-approve -q; cp -r live/eks live/copy", ""),
    (
        "PW6010",
        "quickstart",
        "poolwright apply --auto-approve -q; sed -i 's|live/eks|live/east|' fleet.pool.hcl",
        "",
    ),
    ("PW6101", "quickstart", "echo x > p.json", ""),
    (
        "PW6104",
        "quickstart",
        "poolwright plan -o p.json -q; sed -i 's/\"create\":/\"create\": /; s/nlp/nlq/' p.json",
        "",
    ),
    (
        "PW6051",
        "quickstart",
        "poolwright apply --auto-approve -q; cp -r live saved; printf '{\\n' > live/eks/manifest.lock.json",
        "git() { :; }; cp saved/eks/manifest.lock.json live/eks/",
    ),
    (
        "PW6060",
        "quickstart",
        "poolwright apply --auto-approve -q; sed -i 's|manifest/v1|manifest/v2|' live/eks/manifest.lock.json",
        "",
    ),
    ("PW9203", "base", "", ""),
    ("PW9206", "base", "", ""),
    (
        "PW4510",
        "quickstart",
        "printf 'test \"t\" {\\n  assert {\\n    condition = decide({ queue = queue.urgent, gpu = 8, waited = \"15m\" }).admit == pool.hpc-h100\\n    error_message = \"x\"\\n  }\\n}\\n' > t.pool.hcl",
        "",
    ),
    (
        "PW4511",
        "quickstart",
        "printf 'test \"t\" {\\n  assert {\\n    condition = decide({ queue = queue.urgent, gpus = 8 }).admit == pool.hpc-h100\\n    error_message = \"x\"\\n  }\\n}\\n' > t.pool.hcl",
        "",
    ),
    (
        "PW8012",
        "quickstart",
        "printf 'test \"t\" {\\n  assert {\\n    condition = decide({ queue = queue.urgent, gpus = 8 }).admit == pool.hpc-h100\\n    error_message = \"x\"\\n  }\\n}\\n' > t.pool.hcl",
        "sed -i 's/gpus = 8 }/gpus = 8, waited = \"15m\" }/' t.pool.hcl",
    ),
    (
        "PW4591",
        "base",
        "printf 'test \"t\" {\\n  assert {\\n    condition = decide({ queue = queue.batch }, 1) == null\\n    error_message = \"x\"\\n  }\\n}\\n' > t.pool.hcl",
        "",
    ),
    (
        "PW6008",
        "quickstart",
        "poolwright apply --auto-approve -q; sed -i 's/\"dev\"/\"night\"/; s/class.dev/class.night/' queues.pool.hcl",
        "",
    ),
    (
        "PW6052",
        "quickstart",
        "mkdir -p live/eks/core/namespace; echo x > live/eks/core/namespace/nlp.yaml",
        "",
    ),
    (
        "PW6106",
        "quickstart",
        "poolwright apply --auto-approve -q; sed -i 's/namespaces = .\"nlp\".*/&\\n  labels = { team = \"nlp\" }/' queues.pool.hcl; poolwright plan -o p.json -q; rm live/eks/core/namespace/nlp.yaml",
        "",
    ),
    (
        "PW8010",
        "quickstart",
        "sed -i 's/expect = \"deny\"/expect = \"pass\"/' policies.pool.hcl",
        "sed -i '15s/pass/deny/' policies.pool.hcl",
    ),
    (
        "PW8011",
        "quickstart",
        "sed -i 's/waited = \"900s\"/waited = \"899s\"/' policies.pool.hcl",
        "sed -i '29s/899s/900s/' policies.pool.hcl",
    ),
    (
        "PW9207",
        "quickstart",
        "poolwright plan -o p.json -q; mkdir other; echo 'fleet { name = \"edge\" }' > other/a.pool.hcl",
        "",
    ),
    (
        "PW9210",
        "quickstart",
        "poolwright plan -o p.json -q; sed -i 's/priority = 50$/priority = 51/' queues.pool.hcl",
        "",
    ),
];

/// Pages whose examples need what a test has not: a fault of the program itself, a disk that is full, rights that root
/// has anyway, a server of Git, files of gigabytes; or a fleet that is too large to be told in a row. The list only
/// becomes shorter.
const NOT_RUN: &str = include_str!("codes/not-run.txt");

fn run(folder: &Path, script: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_poolwright")).parent().unwrap();
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{script}")])
        .current_dir(folder)
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", program.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// One line of what is shown: wrapped lines are joined.
fn joined(text: &str) -> String {
    text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// What of an example is not what comes.
fn judge(folder: &Path, example: &Example) -> Option<String> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in example.text.lines() {
        match (line.strip_prefix("$ "), blocks.last_mut()) {
            (Some(command), _) => blocks.push((command, Vec::new())),
            (None, Some((_, shown))) => shown.push(line),
            (None, None) => return None,
        }
    }
    for (command, shown) in blocks {
        // It runs here, as whoever runs the tests.
        let inside = command.replace("/dev/null", "");
        let stays = ![" /", "=/", ">/", ".."].iter().any(|way| inside.contains(way));
        assert!(stays, "a page's command leaves its folder: {command}");
        let found = run(folder, command);
        let all = joined(&found);
        let mut rest = all.as_str();
        // What differs from run to run, such as a digest, is written as `…`.
        let parts = shown.iter().flat_map(|line| line.split('…')).map(joined);
        for part in parts.filter(|part| !part.is_empty()) {
            match rest.split_once(&part) {
                Some((_, after)) => rest = after,
                None => return Some(format!("$ {command}\nlacks: {part}\n--- found\n{found}")),
            }
        }
    }
    None
}

#[test]
fn what_pages_show_on_a_terminal_is_what_comes() {
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for (code, start, breaks, mends) in ROWS {
        let text = std::fs::read_to_string(root().join(format!("docs/codes/{code}.md"))).unwrap();
        let page = Page::parse(&text).unwrap();
        let folder = match *start {
            "base" => base(),
            "quickstart" => example("quickstart"),
            _ => scratch(),
        };
        seen.insert((*code).to_owned());
        run(folder.path(), breaks);
        let console = |example: &&Example| example.kind == "console";
        faults.extend(
            page.examples
                .iter()
                .filter(console)
                .filter_map(|it| judge(folder.path(), it))
                .map(|fault| format!("{code}: {fault}")),
        );
        run(folder.path(), mends);
        faults.extend(
            page.fixed
                .iter()
                .filter(console)
                .filter_map(|it| judge(folder.path(), it))
                .map(|fault| format!("{code}, fixed: {fault}")),
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n==========\n"));
}

#[test]
fn every_page_with_a_terminal_is_run_or_named() {
    let run: BTreeSet<&str> = ROWS.iter().map(|(code, ..)| *code).collect();
    let mut left = String::new();
    let mut names: Vec<_> =
        std::fs::read_dir(root().join("docs/codes")).unwrap().map(|it| it.unwrap().path()).collect();
    names.sort();
    for path in names {
        let name = path.file_stem().unwrap().to_str().unwrap();
        if std::fs::read_to_string(&path).unwrap().contains("```console") && !run.contains(name) {
            left.push_str(&format!("{name}\n"));
        }
    }
    assert_eq!(left, NOT_RUN, "tests/codes/not-run.txt");
}
