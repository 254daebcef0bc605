//! `poolwright console`: one expression a line in, one value a line out.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Run, example, scratch};

fn console(folder: &Path, arguments: &[&str], lines: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_poolwright"))
        .arg("console")
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn values_of_a_fleet() {
    let fleet = example("quickstart");
    for (question, answer) in [
        ("pool.aws-a100-spot.gpus.max", "128 GPUs"),
        ("price(pool.aliyun-a100) * gpus(8)", "$22.40/h"),
        ("[for name, p in fleet.pools : name if p.elastic]", "[\"aliyun-a100\", \"aws-a100-spot\"]"),
        ("queue.cost-optimized.route.steps[*].opens_at", "[0s, 15m]"),
        ("tenant.nlp.cost.monthly.ceiling", "$455,073.74/month"),
        ("duration(\"15m\") < \"1h\"", "true"),
        ("{ a = 1, b = { c = [] } }", "{ a = 1, b = { c = [] } }"),
    ] {
        let run = console(fleet.path(), &[], &format!("{question}\n")).expect(0);
        assert_eq!(
            (run.stdout.as_str(), run.stderr.as_str()),
            (format!("{answer}\n").as_str(), ""),
            "{question}"
        );
    }
}

#[test]
fn answers_as_json_say_what_is_wrong() {
    let fleet = example("quickstart");
    let run = console(fleet.path(), &["--json"], "1 + 1\n\n# a remark\npool.nope\n1 +\nx = 1\n[1, null]\n")
        .expect(3);
    let lines: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], serde_json::json!({ "value": 2 }));
    assert_eq!(lines[1]["error"]["code"], "PW1010");
    assert!(lines[2]["error"]["code"].as_str().unwrap().starts_with("PW00"), "{}", lines[2]);
    assert!(lines[3]["error"]["message"].as_str().unwrap().contains('='), "{}", lines[3]);
    assert_eq!(lines[4], serde_json::json!({ "value": [1, null] }));
    assert_eq!(lines.len(), 5);
}

#[test]
fn without_a_fleet_plain_values_have_answers() {
    let run = console(scratch().path(), &[], "upper(\"a\")\n8 * bandwidth(\"400Gbps\")\n").expect(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("\"A\"\n3.2Tbps\n", ""));
}

#[test]
fn variables_are_given_and_secrets_are_not_shown() {
    let folder = scratch();
    let text = "fleet { name = \"x\" }\nvariable \"key\" {\n  type      = string\n  sensitive = true\n}\n";
    std::fs::write(folder.path().join("a.pool.hcl"), text).unwrap();
    let lines = "var.key\n\"is ${var.key}\"\nlength(var.key)\n[var.key]\n";
    let run = console(folder.path(), &["--var", "key=planted-secret"], lines).expect(0);
    assert!(!run.all().contains("planted-secret"), "{}", run.all());
    assert_eq!(run.stdout, "(sensitive)\n(sensitive)\n(sensitive)\n[(sensitive)]\n");
}
