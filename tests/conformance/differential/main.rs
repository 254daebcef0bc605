//! Holds the language against HashiCorp's implementation: random expressions, and the cases of the table and the suite.
//!
//!     differential ORACLE [COUNT [SEED [RULE]]]
//!
//! ORACLE is the program of tests/conformance/oracle, built. The differences that fall under RULE are shown.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that meets what it does not expect fails at that place; it tells what it found"
)]

#[path = "../cases.rs"]
mod cases;
mod differences;
mod generate;
#[path = "../language.rs"]
mod language;
#[path = "../notation.rs"]
mod notation;
mod parts;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};

use cases::Case;
use poolwright_expression::Value;
use serde_json::{Value as Json, json};

/// An expression and what both sides make of it.
pub(crate) struct Compared {
    /// The expression.
    pub(crate) text: String,
    /// Its value here; `Err`: the messages.
    pub(crate) ours: Result<Value, String>,
    /// Its value there; `Err`: the messages.
    pub(crate) theirs: Result<Value, String>,
}

impl Compared {
    fn agrees(&self) -> bool {
        self.agrees_by(&|ours, theirs| ours == theirs)
    }

    /// But for the last digits of numbers.
    fn agrees_nearly(&self) -> bool {
        self.agrees_by(&differences::close)
    }

    fn agrees_by(&self, plain: &dyn Fn(&Value, &Value) -> bool) -> bool {
        match (&self.ours, &self.theirs) {
            (Ok(ours), Ok(theirs)) => notation::same(ours, theirs, plain),
            (Err(_), Err(_)) => true,
            _ => false,
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let oracle = Oracle { program: arguments[1].clone() };
    let count: usize = arguments.get(2).map_or(20_000, |text| text.parse().unwrap());
    let seed: u64 = arguments.get(3).map_or(4, |text| text.parse().unwrap());
    let wrong = oracle.wrong_cases();
    wrong.iter().for_each(|text| println!("{text}\n"));
    println!(
        "{} of {} cases say what the reference gives",
        all_cases().len() - wrong.len(),
        all_cases().len()
    );
    let unlisted = oracle.random(count, seed, arguments.get(4).map(String::as_str));
    if wrong.is_empty() && unlisted == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn show(one: &Compared) {
    println!("{}\n  here   {:?}\n  there  {:?}", one.text, one.ours, one.theirs);
}

/// The cases of the table and the suite.
fn all_cases() -> Vec<Case> {
    cases::table().into_iter().chain(cases::suite()).collect()
}

/// What is wrong about a case, if the reference gives `answer`.
fn case_fault(case: &Case, answer: &Json) -> Option<String> {
    let places: Vec<&str> =
        case.places.iter().map(|(there, _)| there.as_str()).filter(|there| !there.is_empty()).collect();
    let good = match (&case.wanted, answer.get("value")) {
        (Some(wanted), Some(found)) => {
            let (wanted, found) = (notation::value(wanted), notation::value(found));
            notation::same(&found, &wanted, &differences::close)
                && notation::same(&wanted, &found, &differences::close)
        }
        (None, None) if places.is_empty() => true,
        (None, None) => answer["places"] == json!(places),
        _ => false,
    };
    (!good).then(|| {
        format!(
            "{} {}\n{}\n  it says {:?} {places:?}\n  there   {answer}",
            case.id, case.rule, case.text, case.wanted
        )
    })
}

struct Oracle {
    program: String,
}

impl Oracle {
    /// Compares random expressions; gives how many differ in a way that is on no list.
    fn random(&self, count: usize, seed: u64, wanted: Option<&str>) -> usize {
        let mut generator = generate::Generator::new(seed);
        let texts: Vec<String> = (0..count).map(|_| generator.expression()).collect();
        let (agreed, differing): (Vec<_>, Vec<_>) =
            self.compare(texts).into_iter().partition(Compared::agrees);
        let faults = agreed.iter().filter(|one| one.ours.is_err()).count();
        let (near, differing): (Vec<_>, Vec<_>) = differing.into_iter().partition(Compared::agrees_nearly);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::from([(differences::NEAR, near.len())]);
        let mut unlisted = Vec::new();
        for one in self.smallest(&differing).into_iter().flatten() {
            match differences::which(&one) {
                Some(id) => {
                    *counts.entry(id).or_default() += 1;
                    if wanted == Some(id) {
                        show(&one);
                    }
                }
                None => unlisted.push(one),
            }
        }
        println!("{count} random expressions, seed {seed}");
        println!("{:>7} agree: {} values, {faults} faults", agreed.len(), agreed.len() - faults);
        println!("{:>7} differ; the parts in which they do, by rule:", near.len() + differing.len());
        for id in differences::ids() {
            println!("{:>7}   {id}", counts.get(id).copied().unwrap_or(0));
        }
        for one in unlisted.iter().take(20) {
            println!("\ndiffers under no rule:");
            show(one);
        }
        println!("{:>7} differ under no rule", unlisted.len());
        unlisted.len()
    }

    /// The cases in which the reference gives something else than they say.
    fn wrong_cases(&self) -> Vec<String> {
        let cases = all_cases();
        let question = |case: &Case| {
            if case.id.starts_with('S') {
                json!({"body": case.text, "names": case.names, "known": case.known})
            } else {
                json!({"text": case.text, "names": case.names})
            }
        };
        let answers = self.ask(cases.iter().map(question).collect());
        cases.iter().zip(answers).filter_map(|(case, answer)| case_fault(case, &answer)).collect()
    }

    /// Evaluates expressions on both sides.
    fn compare(&self, texts: Vec<String>) -> Vec<Compared> {
        let names = generate::parsed(generate::NAMES);
        let values = notation::values(&names);
        let questions = texts.iter().map(|text| json!({"text": format!("{text}\n")}));
        let answers = self.ask([json!({"names": names})].into_iter().chain(questions).collect()).split_off(1);
        texts
            .into_iter()
            .zip(answers)
            .map(|(text, answer)| Compared {
                ours: language::run(&text, &values).map_err(|found| {
                    found.iter().map(|fault| fault.message.clone()).collect::<Vec<_>>().join("; ")
                }),
                theirs: match answer.get("value") {
                    Some(value) => Ok(notation::value(value)),
                    None => Err(answer["faults"].to_string()),
                },
                text,
            })
            .collect()
    }

    /// For each that differs, its parts that differ and have no such part in them.
    fn smallest(&self, differing: &[Compared]) -> Vec<Vec<Compared>> {
        let parts: Vec<Vec<parts::Part>> = differing
            .iter()
            .map(|one| match language::parse(&one.text) {
                Ok(expr) => parts::of(&one.text, &expr),
                Err(_) => vec![((0, one.text.len()), one.text.clone())],
            })
            .collect();
        let texts = parts.iter().flatten().map(|(_, text)| text.clone()).collect();
        let mut compared = self.compare(texts).into_iter();
        let mut all = Vec::new();
        for parts in &parts {
            let mut found: Vec<((usize, usize), Compared)> = Vec::new();
            for ((place, _), one) in parts.iter().zip(compared.by_ref()) {
                if !one.agrees_nearly() && !found.iter().any(|(other, _)| parts::inside(*other, *place)) {
                    found.push((*place, one));
                }
            }
            all.push(found.into_iter().map(|(_, one)| one).collect());
        }
        all
    }

    fn ask(&self, questions: Vec<Json>) -> Vec<Json> {
        let mut child =
            Command::new(&self.program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut to = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            for question in questions {
                writeln!(to, "{question}").unwrap();
            }
        });
        let answers = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
            .collect();
        writer.join().unwrap();
        assert!(child.wait().unwrap().success(), "the other program fails");
        answers
    }
}
