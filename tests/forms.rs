//! The forms of diagnostics as programs get them: on which stream, as how many documents, with which paths. What each
//! form looks like is held in compiler/diagnostics/tests/forms.rs.

use std::path::Path;

use serde_json::Value;

use crate::support::{base, edit, example, poolwright};

/// An error, a warning and a note beside the small fleet.
const FAULTY: &str = r#"class "wrong" {
  priority = "high"
}
queue "twice" {
  class   = class.batch
  tenants = [tenant.nlp, tenant.nlp]
  pools   = [pool.gaudi]
}
"#;

fn faulty() -> tempfile::TempDir {
    let folder = base();
    std::fs::write(folder.path().join("faulty.pool.hcl"), FAULTY).unwrap();
    folder
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn diagnostics_of_validate_are_data_in_every_form() {
    let folder = faulty();
    for form in ["human", "short", "json", "sarif", "github", "junit"] {
        let run = poolwright(folder.path(), &["validate", "--format", form]).expect(3);
        assert!(run.stderr.is_empty() && run.stdout.contains("PW2001"), "{form}: {}", run.all());
        let run = poolwright(folder.path(), &["compile", "--out", "out", "--format", form]).expect(3);
        assert!(run.stdout.is_empty() && run.stderr.contains("PW2001"), "{form}: {}", run.all());
    }
}

#[test]
fn documents_are_there_when_nothing_is_wrong() {
    let folder = base();
    let validate = |form: &str| poolwright(folder.path(), &["validate", "--format", form]).expect(0).stdout;
    assert_eq!(json(&validate("json"))["diagnostics"], Value::Array(Vec::new()));
    assert_eq!(json(&validate("sarif"))["runs"][0]["results"], Value::Array(Vec::new()));
    let junit = validate("junit");
    assert!(junit.contains("tests=\"3\" failures=\"0\""), "{junit}");
    assert!(
        junit.contains(
            "<testcase classname=\"poolwright\" name=\"people.pool.hcl\" file=\"people.pool.hcl\"/>"
        )
    );
    assert_eq!(validate("github"), "");
}

/// A plan that is denied has remarks of the fleet and of the policies: still one document.
#[test]
fn a_run_is_one_document() {
    let folder = example("quickstart");
    let queues = folder.path().join("queues.pool.hcl");
    edit(
        &queues,
        "{ pool = pool.aws-a100-spot, gpus = 32, borrow = 32 }",
        "{ pool = pool.aws-a100-spot, gpus = 32, borrow = \"all\" }",
    );
    edit(
        &queues,
        "tenants = [tenant.nlp]\n  pools   = [pool.onprem-gaudi]",
        "tenants = [tenant.nlp, tenant.nlp]\n  pools   = [pool.onprem-gaudi]",
    );
    for arguments in [&["plan"][..], &["apply", "--auto-approve"]] {
        let run = poolwright(folder.path(), &[arguments, &["--format", "json"]].concat()).expect(4);
        let found = json(&run.stderr);
        let codes: Vec<&str> =
            found["diagnostics"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap()).collect();
        assert!(codes.contains(&"PW8001") && codes.contains(&"PW4033"), "{codes:?}");
        let run = poolwright(folder.path(), &[arguments, &["--format", "sarif"]].concat()).expect(4);
        assert_eq!(json(&run.stderr)["runs"].as_array().unwrap().len(), 1);
        let run = poolwright(folder.path(), &[arguments, &["--format", "junit"]].concat()).expect(4);
        assert_eq!(run.stderr.matches("<?xml").count(), 1, "{}", run.stderr);
        assert!(run.stderr.contains("<failure type=\"PW8001\""), "{}", run.stderr);
    }
}

/// Annotations and code scanning find a file from the folder that the program runs in.
#[test]
fn paths_begin_where_the_program_runs() {
    let folder = faulty();
    let (above, name) =
        (folder.path().parent().unwrap(), folder.path().file_name().unwrap().to_str().unwrap());
    for (given, path) in [
        (name.to_owned(), format!("{name}/faulty.pool.hcl")),
        (format!("./{name}/"), format!("{name}/faulty.pool.hcl")),
        (folder.path().to_str().unwrap().to_owned(), format!("{}/faulty.pool.hcl", folder.path().display())),
    ] {
        let run = poolwright(above, &["validate", &given, "--format", "github"]).expect(3);
        let wanted = format!("::error file={path},line=2,col=14,endColumn=20,title=PW2001::");
        assert!(run.stdout.starts_with(&wanted), "{wanted}: {}", run.all());
        assert!(run.stdout.contains("\n::warning file="), "{}", run.all());
        let run = poolwright(above, &["validate", &given, "--format", "sarif"]).expect(3);
        let log = json(&run.stdout);
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri == path || uri == format!("file://{path}"), "{uri}");
        // The JSON form names files as the fleet does, wherever it is asked.
        let run = poolwright(above, &["validate", &given, "--format", "json"]).expect(3);
        assert_eq!(json(&run.stdout)["diagnostics"][0]["spans"][0]["file"], "faulty.pool.hcl");
    }
    let run = poolwright(folder.path(), &["validate", "--format", "github"]).expect(3);
    assert!(run.stdout.starts_with("::error file=faulty.pool.hcl,"), "{}", run.all());
}

/// Rules of SARIF carry what their pages say.
#[test]
fn sarif_has_the_words_of_the_pages() {
    let log = json(&poolwright(faulty().path(), &["validate", "--format", "sarif"]).expect(3).stdout);
    let rule = &log["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(rule["id"], "PW2001");
    assert_eq!(rule["shortDescription"]["text"], "A value is of another type than its place asks for.");
    let page = poolwright(Path::new("/"), &["explain", "PW2001"]).expect(0).stdout;
    let meaning = rule["fullDescription"]["text"].as_str().unwrap();
    assert!(page.replace('\n', " ").contains(meaning), "{meaning}");
    assert!(rule["helpUri"].as_str().unwrap().ends_with("/docs/codes/PW2001.md"));
}

#[test]
fn a_wrong_command_line_is_said_in_the_form_that_it_asks_for() {
    for arguments in [&["plan", "--zzz", "--format", "json"][..], &["--format=json", "compile"]] {
        let run = poolwright(Path::new("/"), arguments).expect(3);
        let found = json(&run.stderr);
        assert_eq!(found["diagnostics"][0]["code"], "PW9211");
        assert_eq!(found["diagnostics"][0]["docs"], "poolwright explain PW9211");
    }
    let run = poolwright(Path::new("/"), &["show", "no-plan", "--format", "github"]).expect(3);
    assert!(run.stderr.starts_with("::error title=PW9204::"), "{}", run.all());
}

/// What a comment allows is gone from every output, a saved plan too; in a folder with errors nothing is called unused.
#[test]
fn allowed_remarks_are_gone_everywhere() {
    let folder = base();
    let file = folder.path().join("twice.pool.hcl");
    let queue = FAULTY.split_once("queue").map(|(_, rest)| format!("queue{rest}")).unwrap();
    let allowed =
        queue.replace("tenant.nlp]\n", "tenant.nlp] # poolwright:allow(PW4033) a script writes it\n");
    std::fs::write(&file, &queue).unwrap();
    let plan = |code: i32| poolwright(folder.path(), &["plan", "--json"]).expect(code);
    assert_eq!(json(&plan(2).stdout)["diagnostics"][0]["code"], "PW4033");
    std::fs::write(&file, &allowed).unwrap();
    let run = plan(2);
    assert_eq!(json(&run.stdout)["diagnostics"], Value::Array(Vec::new()));
    assert_eq!(run.stderr, "");
    let unused =
        format!("{}class \"x\" {{ priority = 1 }} # poolwright:allow(PW4032) it has none\n", allowed);
    std::fs::write(&file, &unused).unwrap();
    let run = poolwright(folder.path(), &["validate", "--format", "short"]).expect(0);
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.all());
    assert!(run.stdout.contains("warning[PW0096]"), "{}", run.all());
    std::fs::write(&file, format!("{unused}class \"y\" {{}}\n")).unwrap();
    let run = poolwright(folder.path(), &["validate", "--format", "short"]).expect(3);
    assert!(run.stdout.contains("error[PW1007]") && !run.stdout.contains("PW0096"), "{}", run.all());
}

/// More warnings than are shown stand before one error in another file.
#[test]
fn many_warnings_hide_no_error() {
    let folder = base();
    let queue = FAULTY.split_once("queue").map(|(_, rest)| format!("queue{rest}")).unwrap();
    let many: String = (0..120).map(|at| queue.replace("\"twice\"", &format!("\"twice-{at}\""))).collect();
    std::fs::write(folder.path().join("a.pool.hcl"), many).unwrap();
    std::fs::write(folder.path().join("z.pool.hcl"), "class \"wrong\" { priorty = 1 }\n").unwrap();
    let run = poolwright(folder.path(), &["validate"]).expect(3);
    assert!(run.stdout.contains("error[PW1003]: unknown attribute `priorty`"), "{}", run.all());
    assert_eq!(run.stdout.matches("warning[PW4033]").count() + run.stdout.matches("error[").count(), 100);
    let more = run.stdout.lines().find(|line| line.starts_with("and ")).unwrap();
    assert!(more.ends_with(" warnings more; `--format short` lists all"), "{more}");
}
