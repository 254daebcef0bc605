//! One file a command; [`run`] finds which.

mod apply;
mod catalog;
mod compile;
mod console;
mod cost;
pub(crate) mod explain;
mod fix;
mod fmt;
mod graph;
mod init;
mod lock;
mod plan;
mod route;
mod schema;
mod show;
mod test;
mod validate;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use poolwright_diagnostics::{Diagnostic, suggestion_help};

use crate::args::{CatalogPart, Cli, Command, Global, PLANNED, PLANNED_FLAGS, PolicyCommand, RouteCommand};
use crate::codes;
use crate::exit::{Exit, TABLE};
use crate::output;
use crate::session::refuse;

/// Reads the command line and carries the command out.
pub(crate) fn run() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            let text = error.render().to_string();
            if help {
                output::print(&text);
                return Exit::Done;
            }
            // No command at all: clap's answer is the help.
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                output::complain(&text);
                return Exit::Invalid;
            }
            let diagnostic = planned_flag(&error).unwrap_or_else(|| command_line(&text));
            let see = format!("see `{} --help`", command_of(&text));
            let global = Global::of_words(std::env::args_os());
            return refuse(&global, diagnostic.with_help(see), Exit::Invalid);
        }
    };
    let global = &cli.global;
    match cli.command {
        Command::Init(folder) => init::run(global, &folder.folder),
        Command::Validate(folder) => validate::run(global, &folder.folder),
        Command::Fmt { paths, check, recursive } => fmt::run(global, &paths, check, recursive),
        Command::Fix { folder, dry_run, unsafe_too } => fix::run(global, &folder.folder, dry_run, unsafe_too),
        Command::Compile { folder, out, target, check } => {
            compile::run(global, &folder.folder, &out, target.as_deref(), check)
        }
        Command::Plan { folder, output, json, guards } => {
            plan::run(global, &folder.folder, output.as_deref(), json, &guards)
        }
        Command::Show { plan, json } => show::run(global, &plan, json),
        Command::Apply { what, dir, auto_approve, approved, guards } => {
            apply::run(global, &apply::Asked { what, dir, auto_approve, approved, guards })
        }
        Command::Lock { folder, update } => lock::run(global, &folder.folder, update),
        Command::Console { folder, json } => console::run(global, &folder.folder, json),
        Command::Cost { folder, json } => cost::run(global, &folder.folder, json),
        Command::Graph { folder, .. } => graph::run(global, &folder.folder),
        Command::Test(folder) => test::run(global, &folder.folder),
        Command::Policy(PolicyCommand::Test(folder)) => test::policies(global, &folder.folder),
        Command::Policy(PolicyCommand::Other(words)) => other(global, Some("policy"), &words),
        Command::Route(RouteCommand::Other(words)) => other(global, Some("route"), &words),
        Command::Route(RouteCommand::Explain { queue, folder }) => {
            route::explain(global, &folder.folder, &queue)
        }
        Command::Catalog { what: Some(CatalogPart::Refresh), .. } => {
            other(global, Some("catalog"), &["refresh".to_owned()])
        }
        Command::Catalog { what, json } => catalog::run(what, json),
        Command::Schema { name } => schema::run(global, &name),
        Command::Explain { code, json } => explain::run(global, code.as_deref(), json),
        Command::Version { json } => version(json),
        Command::Help { topic } => help(global, &topic),
        Command::Other(words) => other(global, None, &words),
    }
}

/// What a flag of the contract that is not built is answered with; none for any other wrong command line.
fn planned_flag(error: &clap::Error) -> Option<Diagnostic> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let flag = match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(flag) => flag.split('=').next().unwrap_or(flag).to_owned(),
        _ => return None,
    };
    PLANNED_FLAGS
        .contains(&flag.as_str())
        .then(|| Diagnostic::error(codes::NOT_BUILT, format!("`{flag}` is not built yet")))
}

/// What clap says of a wrong command line, in the form of every other error: its first paragraph is the message, with
/// what it lists; its tips are helps.
fn command_line(text: &str) -> Diagnostic {
    let mut lines = text.lines();
    let said: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let message = said.join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message).replace('\'', "`");
    let mut diagnostic = Diagnostic::error(codes::COMMAND_LINE, message);
    for line in lines.map(str::trim) {
        if let Some(usage) = line.strip_prefix("Usage: ") {
            diagnostic = diagnostic.with_note(format!("usage: {usage}"));
        } else if let Some(tip) = line.strip_prefix("tip: ").filter(|tip| !tip.starts_with("to pass ")) {
            diagnostic = diagnostic.with_help(tip.replace('\'', "`"));
        } else if line.starts_with('[') {
            diagnostic = diagnostic.with_note(line);
        }
    }
    diagnostic
}

/// The command that clap's usage line is of: `poolwright policy test`.
fn command_of(text: &str) -> String {
    let usage = text.lines().find_map(|line| line.trim().strip_prefix("Usage: ")).unwrap_or("poolwright");
    let words = usage.split(' ').take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    words.collect::<Vec<_>>().join(" ")
}

fn version(json: bool) -> Exit {
    let version = env!("CARGO_PKG_VERSION");
    if json {
        let text = serde_json::json!({ "schema": "poolwright/version/v1", "version": version });
        output::print(&format!("{text}\n"));
    } else {
        output::print(&format!("poolwright {version}\n"));
    }
    Exit::Done
}

fn help(global: &Global, topic: &[String]) -> Exit {
    let mut cli = Cli::command();
    // Only then a command knows its whole name, and the flags of all commands.
    cli.build();
    if topic == ["exit-codes"] {
        output::print(TABLE);
        return Exit::Done;
    }
    let mut command = &mut cli;
    for (index, name) in topic.iter().enumerate() {
        let group = index.checked_sub(1).and_then(|before| topic.get(before));
        match command.find_subcommand_mut(name) {
            Some(found) => command = found,
            None => return other(global, group.map(String::as_str), std::slice::from_ref(name)),
        }
    }
    output::print(&command.render_help().to_string());
    Exit::Done
}

/// A word that is no command: of the contract but not built, or a mistake. `group` is the command that it stands
/// behind, as in `policy coverage`.
fn other(global: &Global, group: Option<&str>, words: &[String]) -> Exit {
    let word = words.first().map_or("", String::as_str);
    let prefix = group.map_or_else(String::new, |group| format!("{group} "));
    let asked = format!("{prefix}{word}");
    let diagnostic = if PLANNED.contains(&asked.as_str()) {
        Diagnostic::error(codes::NOT_BUILT, format!("`poolwright {asked}` is not built yet"))
            .with_help("the commands that are: poolwright help")
    } else {
        let diagnostic = Diagnostic::error(codes::UNKNOWN_COMMAND, format!("there is no command `{asked}`"));
        let cli = Cli::command();
        let within = group.map_or(Some(&cli), |group| cli.find_subcommand(group));
        let known: Vec<&str> = within
            .into_iter()
            .flat_map(clap::Command::get_subcommands)
            .map(clap::Command::get_name)
            .collect();
        match suggestion_help("command", word, known) {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic.with_help("the commands: poolwright help"),
        }
    };
    refuse(global, diagnostic, Exit::Invalid)
}
