//! `poolwright console`: the value of expressions. On a terminal a prompt; otherwise one expression a line in, one value
//! a line out.

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use poolwright_diagnostics::Diagnostic;
use poolwright_driver::Answers;
use poolwright_expression::{Value, to_json};
use serde_json::json;

use crate::args::Global;
use crate::codes;
use crate::exit::Exit;
use crate::output;
use crate::session::{Session, refuse};

pub(crate) fn run(global: &Global, folder: &Path, as_json: bool) -> Exit {
    let session = Session::new(global, folder);
    if std::io::stdin().is_terminal() {
        return prompt(&session, as_json);
    }
    let lines: Result<Vec<String>, _> = std::io::stdin().lock().lines().collect();
    let lines = match lines {
        Ok(lines) => lines,
        Err(error) => {
            let message = format!("standard input cannot be read: {error}");
            return refuse(global, Diagnostic::error(codes::CANNOT_READ, message), Exit::Invalid);
        }
    };
    let questions: Vec<String> = lines.into_iter().filter(|line| is_question(line)).collect();
    let asked = ask(&session, &questions);
    if asked.diagnostics.iter().any(Diagnostic::is_error) {
        session.remarks(&asked.diagnostics, &asked.sources);
    }
    let mut failed = asked.diagnostics.iter().any(Diagnostic::is_error);
    for answer in &asked.answers {
        failed |= answer.is_err();
        show(&session, &asked, answer, as_json, poolwright_report::value_line);
    }
    if failed { Exit::Invalid } else { Exit::Done }
}

fn is_question(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

fn ask(session: &Session, questions: &[String]) -> Answers {
    let (version, given) = (poolwright_driver::version(), session.global.variables());
    poolwright_driver::console(&session.files, &version, &given, questions)
}

/// Asks and answers until there is no more input. The files are read anew each time: an edit counts at once.
fn prompt(session: &Session, as_json: bool) -> Exit {
    let mut line = String::new();
    loop {
        let _ = write!(std::io::stderr(), "> ");
        line.clear();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => return Exit::Done,
            Ok(_) if matches!(line.trim(), "exit" | "quit") => return Exit::Done,
            Ok(_) => {}
        }
        if !is_question(&line) {
            continue;
        }
        let asked = ask(session, &[line.trim().to_owned()]);
        if asked.diagnostics.iter().any(Diagnostic::is_error) {
            session.remarks(&asked.diagnostics, &asked.sources);
        }
        for answer in &asked.answers {
            show(session, &asked, answer, as_json, poolwright_report::value);
        }
    }
}

fn show(
    session: &Session,
    asked: &Answers,
    answer: &Result<Value, Vec<Diagnostic>>,
    as_json: bool,
    text: fn(&Value) -> String,
) {
    match (answer, as_json) {
        (Ok(value), true) => output::print(&format!("{}\n", json!({ "value": to_json(value) }))),
        (Ok(value), false) => output::print(&format!("{}\n", text(value))),
        (Err(faults), true) => {
            let first = faults.iter().find(|fault| fault.is_error()).or_else(|| faults.first());
            let error = first.map(|fault| json!({ "code": fault.code.0, "message": fault.message }));
            output::print(&format!("{}\n", json!({ "error": error })));
        }
        (Err(faults), false) => session.complain(faults, &asked.sources),
    }
}
