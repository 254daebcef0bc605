//! One file a command; [`run`] finds which.

mod apply;
mod catalog;
mod compile;
mod cost;
mod init;
mod plan;
mod route;
mod schema;
mod show;
mod test;
mod validate;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use poolwright_diagnostics::{Diagnostic, SourceMap, render, suggestion_help};

use crate::args::{Cli, Command, Global, PLANNED, PLANNED_FLAGS, PolicyCommand, RouteCommand};
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
            if let Some(diagnostic) = planned_flag(&error) {
                output::complain(&render::human(
                    &[diagnostic],
                    &SourceMap::default(),
                    &render::Options::default(),
                ));
                return Exit::Invalid;
            }
            output::complain(&text);
            return Exit::Invalid;
        }
    };
    let global = &cli.global;
    match cli.command {
        Command::Init(folder) => init::run(global, &folder.folder),
        Command::Validate(folder) => validate::run(global, &folder.folder),
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
        Command::Cost { folder, json } => cost::run(global, &folder.folder, json),
        Command::Test(folder) => test::run(global, &folder.folder),
        Command::Policy(PolicyCommand::Test(folder)) => test::policies(global, &folder.folder),
        Command::Policy(PolicyCommand::Other(words)) => other(global, Some("policy"), &words),
        Command::Route(RouteCommand::Other(words)) => other(global, Some("route"), &words),
        Command::Route(RouteCommand::Explain { queue, folder }) => {
            route::explain(global, &folder.folder, &queue)
        }
        Command::Catalog { what } => catalog::run(what),
        Command::Schema { name } => schema::run(global, &name),
        Command::Version { json } => version(json),
        Command::Help { topic } => help(global, topic.as_deref()),
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
    PLANNED_FLAGS.contains(&flag.as_str()).then(|| {
        Diagnostic::error(codes::NOT_BUILT, format!("`{flag}` is not built yet"))
            .with_help("the flags that are: the command with --help")
    })
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

fn help(global: &Global, topic: Option<&str>) -> Exit {
    let mut cli = Cli::command();
    match topic {
        None => output::print(&cli.render_long_help().to_string()),
        Some("exit-codes") => output::print(TABLE),
        Some(name) => match cli.find_subcommand_mut(name) {
            Some(command) => output::print(&command.render_long_help().to_string()),
            None => return other(global, None, &[name.to_owned()]),
        },
    }
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
