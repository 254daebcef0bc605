//! Acceptance scenarios of field.md §5 that are the language's, by their numbers; docs/acceptance.md says which test
//! holds which.

use crate::support::{base, poolwright, root};

/// A26: "a class with `regions = ["eu-*"]` and a route step outside -> compile error with both source lines". The rule,
/// the step and the region stand in three files.
#[test]
fn a26_a_step_outside_the_regions_shows_both_lines() {
    let folder = base();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "data.pool.hcl",
        "# The records may not leave Europe.\nclass \"records\" {\n  priority = 10\n  regions  = [\"eu-*\"]\n}\n",
    );
    write(
        "routes.pool.hcl",
        r#"route "ladder" {
  step "home" {
    pools = [pool.gaudi]
    for   = "15m"
  }
  step "away" { pools = [pool.cloud] }
}

queue "records" {
  class   = class.records
  tenants = [tenant.nlp]
  route   = route.ladder
  entry   = target.kubernetes.hub
}

target "kubernetes" "hub" {
  directory = "live/hub"
  kueue     = { version = "0.17" }
}
"#,
    );
    let run = poolwright(folder.path(), &["validate", "-q"]).expect(3);
    assert_eq!(
        run.stdout,
        r#"error[PW4122]: `class.records` may not run where `pool.cloud` lies in "us-east-1"
   ┌─ routes.pool.hcl:6:25
   │
 6 │   step "away" { pools = [pool.cloud] }
   │                         ━━━━━━━━━━━━ `pool.cloud` lies in "us-east-1"
   ┌─ data.pool.hcl:4:14
   │
 4 │   regions  = ["eu-*"]
   │              ──────── allows "eu-*"
   ┌─ targets.pool.hcl:27:22
   │
27 │   region           = "us-east-1"
   │                      ─────────── its region
   │
   help: take the pool out of the way, or add its region to `regions`
   docs: poolwright explain PW4122

1 error in 1 of 5 files
"#
    );
}

/// A28: "fabric with 8 rails x 400 Gb/s reports 3.2 Tb/s = 400 GB/s".
#[test]
fn a28_eight_rails_of_400_gbps_are_3_2_tbps() {
    let folder = base();
    let text = r#"fabric "ndr" {
  kind  = "infiniband"
  rails = 8
  rate  = "400Gbps"

  level "leaf" { nodes = 32 }
  switch "leaf" { hosts = "ib[01-02]" }
}

pool "ib" {
  accelerator = accelerator.nvidia-h100-80gb-sxm
  tier        = tier.owned
  cluster     = target.slurm.hpc
  fabric      = fabric.ndr
  node        = { gpus = 8, cpus = 112, memory = "2000GiB" }
  hosts       = "ib[01-02]"
}
"#;
    std::fs::write(folder.path().join("fabric.pool.hcl"), text).unwrap();
    let questions = [
        ("8 * bandwidth(\"400Gbps\") == \"3.2Tbps\"", "true"),
        ("8 * bandwidth(\"400Gbps\") == \"400GB/s\"", "true"),
        ("8 * bandwidth(\"400Gbps\") == \"3.2TB/s\"", "false"),
        ("fabric.ndr.rails * fabric.ndr.rate", "3.2Tbps"),
        ("fleet.pools[\"ib\"].rate_per_node", "3.2Tbps"),
        ("fleet.pools[\"ib\"].rate_per_node == \"400GB/s\"", "true"),
    ];
    let asked = questions.map(|(question, _)| question.to_owned());
    let files = poolwright_target::files::OsFiles::new(folder.path());
    let answers = poolwright_driver::console(&files, &poolwright_driver::version(), &[], &asked);
    for ((question, wanted), answer) in questions.into_iter().zip(answers.answers) {
        assert_eq!(answer.unwrap().to_string(), wanted, "{question}");
    }
}

/// A28: "writing 3.2 TB/s for it is an error that prints the factor 8".
#[test]
fn a28_bytes_for_bits_print_the_factor_8() {
    let folder = base();
    let text = "fabric \"ndr\" {\n  kind  = \"infiniband\"\n  rails = 8\n  rate  = \"3.2TB/s\"\n}\n";
    std::fs::write(folder.path().join("fabric.pool.hcl"), text).unwrap();
    let run = poolwright(folder.path(), &["validate", "-q"]).expect(3);
    assert_eq!(
        run.stdout,
        r#"error[PW4014]: no port has `25.6Tbps`: the rate of `fabric.ndr` is of one port
   ┌─ fabric.pool.hcl:4:11
   │
 3 │   rails = 8
   │           ─ 8 of them
 4 │   rate  = "3.2TB/s"
   │           ━━━━━━━━━ of one port
   │
   help: `B/s` counts bytes, a factor of 8: the same number in bits over all rails is `400Gbps` a
         port
   docs: poolwright explain PW4014

1 error in 1 of 4 files
"#
    );
}

/// Each row of the table names tests that there are.
#[test]
fn each_test_of_the_table_is_there() {
    let page = std::fs::read_to_string(root().join("docs/acceptance.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| A")).collect();
    let numbers: Vec<String> = (1..=35).map(|number| format!("A{number}")).collect();
    let named =
        rows.iter().map(|row| row.split(['|', ' ', ':']).find(|word| !word.is_empty()).unwrap().to_owned());
    assert_eq!(named.collect::<Vec<_>>(), numbers, "a row for each, in order");
    let mut tests = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (state, evidence) = (cells[2], cells[3]);
        assert!(["whole", "in part", "later"].contains(&state), "{row}");
        let names: Vec<&str> = evidence.split('`').skip(1).step_by(2).collect();
        assert_eq!(names.is_empty(), state == "later", "{row}");
        for name in names {
            tests += 1;
            match name.split_once("::") {
                Some((file, function)) => {
                    let text =
                        std::fs::read_to_string(root().join(file)).unwrap_or_else(|_| panic!("{file}"));
                    assert!(text.contains(&format!("fn {function}(")), "{name}");
                }
                None => assert!(root().join(name).is_file(), "{name}"),
            }
        }
    }
    assert!(tests > 35, "{tests}");
}
