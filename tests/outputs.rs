//! Results of a fleet: `plan` shows them, as text and as JSON, and a sensitive one nowhere.

use crate::support::{Run, poolwright, scratch};

const SECRET: &str = "planted-secret-for-tests";

fn plan(arguments: &[&str]) -> Run {
    let scratch = scratch();
    let fleet = format!(
        r#"
fleet {{ name = "results" }}

target "kubernetes" "eks" {{
  directory = "live/eks"
  kueue     = {{ version = "0.17" }}
}}

tenant "nlp" {{ namespaces = ["nlp"] }}

output "where" {{
  description = "who runs it"
  value       = {{ target = target.kubernetes.eks, names = [for t in fleet.tenants : t.name] }}
}}

output "key" {{
  value     = "{SECRET}"
  sensitive = true
}}
"#
    );
    std::fs::write(scratch.path().join("fleet.pool.hcl"), fleet).unwrap();
    poolwright(scratch.path(), &[&["plan"], arguments].concat())
}

#[test]
fn a_plan_shows_them() {
    let run = plan(&[]).expect(2);
    let lines: Vec<&str> = run.stdout.lines().filter(|line| line.contains(" = ")).collect();
    assert_eq!(
        lines,
        [
            "outputs     key = (sensitive)",
            r#"            where = { names = ["nlp"], target = target.kubernetes.eks }"#,
        ]
    );
    assert!(!run.all().contains(SECRET), "{}", run.all());
}

#[test]
fn its_json_has_them() {
    let run = plan(&["--json"]).expect(2);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let wanted = serde_json::json!({
        "key": { "sensitive": true },
        "where": {
            "description": "who runs it",
            "sensitive": false,
            "text": "{ names = [\"nlp\"], target = target.kubernetes.eks }",
            "value": { "names": ["nlp"], "target": "target.kubernetes.eks" },
        },
    });
    assert_eq!(document["outputs"], wanted);
    assert!(!run.all().contains(SECRET), "{}", run.all());
}
