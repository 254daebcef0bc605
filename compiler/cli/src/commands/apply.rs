//! `poolwright apply`.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

use poolwright_diagnostics::{Diagnostic, SourceMap};
use poolwright_driver::Loaded;
use poolwright_engine::apply::Silent;
use poolwright_engine::{Event, Observer, stale};
use poolwright_model::fleet::Target;
use poolwright_model::program::PolicySeverity;
use poolwright_model::{Address, Fleet, Plan};
use std::collections::BTreeMap;

use super::{plan, show};
use crate::args::{Global, Guards};
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::session::{Session, refuse};
use crate::{codes, internal, output};

/// What was asked for.
pub(crate) struct Asked {
    pub(crate) what: PathBuf,
    pub(crate) dir: PathBuf,
    pub(crate) auto_approve: bool,
    pub(crate) approved: Option<String>,
    pub(crate) guards: Guards,
}

/// A path that is no folder is a plan, also when it is not there: the error then names it.
pub(crate) fn run(global: &Global, asked: &Asked) -> Exit {
    if asked.what.is_dir() { of_folder(global, asked) } else { of_plan(global, asked) }
}

/// Applies what the folder wants now.
fn of_folder(global: &Global, asked: &Asked) -> Exit {
    let session = Session::new(global, &asked.what);
    let mut compiled = match session.compile() {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    internal::phase("planning");
    let planned = poolwright_driver::plan(&mut compiled, &session.files, &SystemClock);
    if !global.quiet {
        output::print(&poolwright_report::plan(&planned.plan, None));
    }
    // A target that cannot be read does not stop the others (CONTRACT §1); everything else does.
    let against = plan::against(&session, &compiled, &planned, &asked.guards);
    let unread = planned.unreachable.iter();
    let verdict = unread.fold(against, |exit, (_, code)| exit.and(Exit::Class(*code)));
    if let Some(approved) = &asked.approved
        && let Some(diagnostic) = stale::not_approved(&planned.plan, approved, None)
    {
        return verdict.and(refuse(global, diagnostic, Exit::Class(5)));
    }
    if against != Exit::Done || planned.plan.is_stuck() {
        nothing_changed(global);
        return verdict;
    }
    if planned.plan.is_empty() {
        // What is applied is written down where that was lost; nothing else happens.
        return match poolwright_driver::apply(
            &planned.plan,
            &compiled.fleet.targets,
            &session.files,
            &mut Silent,
        ) {
            Ok(report) if report.exit() == 0 => verdict,
            Ok(report) => {
                session.complain(&report.diagnostics(), &SourceMap::default());
                verdict.and(Exit::Class(report.exit()))
            }
            Err(error) => verdict.and(refuse(global, error.to_diagnostic(), Exit::Class(error.class.exit()))),
        };
    }
    if !approved(global, asked, &planned.plan, &session.argument()) {
        return Exit::Denied;
    }
    verdict.and(carry_out(global, &session, &planned.plan, &compiled.fleet.targets))
}

/// Applies a saved plan, exactly as it is.
fn of_plan(global: &Global, asked: &Asked) -> Exit {
    let plan = match show::read(global, &asked.what) {
        Ok(plan) => plan,
        Err(exit) => return exit,
    };
    let session = Session::new(global, &asked.dir);
    let loaded = session.load();
    let Some(Fleet { meta, targets, .. }) = loaded.fleet.clone() else {
        let mut diagnostics = loaded.diagnostics;
        if loaded.files == 0
            && let Some(last) = diagnostics.last_mut()
        {
            let plan = asked.what.display();
            last.helps = vec![format!("name the fleet's folder: poolwright apply {plan} --dir DIR")];
        }
        session.remarks(&diagnostics, &loaded.sources);
        return Exit::Invalid;
    };
    let moved_on = moved_on(loaded, &plan);
    if meta.name != plan.fleet {
        let message = format!(
            "the plan is of fleet `{}`, the folder {} has `{}`",
            plan.fleet,
            asked.dir.display(),
            meta.name
        );
        let diagnostic =
            Diagnostic::error(codes::OTHER_FLEET, message).with_help("name the fleet's folder: --dir DIR");
        return refuse(global, diagnostic, Exit::Invalid);
    }
    let severe =
        |severity: &str| plan.policies.iter().any(|verdict| verdict.severity.as_deref() == Some(severity));
    if severe(PolicySeverity::Deny.as_str()) || severe(PolicySeverity::Approve.as_str()) {
        for verdict in plan.policies.iter().filter(|verdict| verdict.severity.is_some()) {
            let message = verdict.message.clone().unwrap_or_default();
            let name = verdict.policy.label();
            let said = format!("policy \"{name}\" on {}: {} · {message}", verdict.object, verdict.verdict);
            if global.format.is_document() {
                let diagnostic = Diagnostic::error(poolwright_policies::codes::DENIED, said);
                session.complain(&[diagnostic], &SourceMap::default());
            } else {
                output::complain(&format!("{said}\n"));
            }
        }
        nothing_changed(global);
        return Exit::Denied;
    }
    if let Some(approved) = &asked.approved
        && let Some(diagnostic) = stale::not_approved(&plan, approved, None)
    {
        return refuse(global, diagnostic, Exit::Class(5));
    }
    if plan.is_empty() {
        output::print(&poolwright_report::plan(&plan, None));
        return Exit::Done;
    }
    if let Some(diagnostic) = moved_on {
        session.remarks(&[diagnostic], &SourceMap::default());
    }
    // A saved plan was looked at when it was saved: giving it is the approval, as with OpenTofu.
    carry_out(global, &session, &plan, &targets)
}

/// Says that the fleet is no longer the one that a saved plan was made of. The plan is applied all the same.
fn moved_on(loaded: Loaded, plan: &Plan) -> Option<Diagnostic> {
    let diagnostic = match poolwright_driver::compile(loaded, poolwright_driver::Purpose::Write) {
        Ok(compiled) if compiled.input_digest == plan.input_digest => return None,
        Ok(_) => Diagnostic::warning(
            codes::FLEET_MOVED_ON,
            "the fleet, its policies or its prices changed since the plan was saved; the plan is applied as it is",
        ),
        Err(_) => Diagnostic::note(
            codes::FLEET_MOVED_ON,
            "the fleet does not compile any more; the plan is applied as it was saved",
        )
        .with_help("see what is wrong: poolwright validate"),
    };
    Some(diagnostic.with_note("the next plan says what the fleet wants beyond this one"))
}

/// Whether the plan may be applied: by flag, or by a yes at the terminal.
fn approved(global: &Global, asked: &Asked, plan: &Plan, folder: &str) -> bool {
    if asked.auto_approve || asked.approved.is_some() {
        return true;
    }
    if !std::io::stdin().is_terminal() {
        let diagnostic = Diagnostic::error(
            codes::NO_APPROVAL,
            "nobody approved this plan, and there is no terminal to ask",
        )
        .with_help(format!("apply exactly this: poolwright apply{folder} --approved {}", plan.digest))
        .with_help(format!("or whatever the plan is then: poolwright apply{folder} --auto-approve"));
        refuse(global, diagnostic, Exit::Denied);
        return false;
    }
    output::complain("apply this plan? only `yes` is taken: ");
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    let yes = read.is_ok() && answer.trim() == "yes";
    if !yes {
        nothing_changed(global);
    }
    yes
}

fn carry_out(global: &Global, session: &Session, plan: &Plan, targets: &BTreeMap<Address, Target>) -> Exit {
    internal::phase(internal::APPLYING);
    let mut progress = Progress { quiet: global.quiet || global.format.is_document() };
    match poolwright_driver::apply(plan, targets, &session.files, &mut progress) {
        Ok(report) => {
            let diagnostics = report.diagnostics();
            if !diagnostics.is_empty() {
                session.complain(&diagnostics, &SourceMap::default());
            }
            output::print(&poolwright_report::applied(&report));
            Exit::Class(report.exit())
        }
        Err(error) => refuse(global, error.to_diagnostic(), Exit::Class(error.class.exit())),
    }
}

/// Said to people; for programs the exit code says it, and the stream holds one document.
fn nothing_changed(global: &Global) {
    if !global.format.is_document() {
        output::complain("nothing was changed\n");
    }
}

/// One line a change, as it is done.
struct Progress {
    quiet: bool,
}

impl Observer for Progress {
    fn event(&mut self, event: Event<'_>) {
        if self.quiet {
            return;
        }
        match event {
            Event::OpEnd { change, error: None } => output::complain(&format!("  ✓ {}\n", change.address)),
            Event::OpEnd { change, error: Some(error) } => {
                output::complain(&format!("  ✗ {}   {}\n", change.address, error.message));
            }
            Event::Start { .. }
            | Event::OpBegin { .. }
            | Event::Skip { .. }
            | Event::TargetFailed { .. }
            | Event::End { .. } => {}
        }
    }
}
