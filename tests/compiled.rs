//! Compiles an example in-process, and reads what became of it.

use poolwright_diagnostics::{Diagnostic, Severity, render};
use poolwright_driver::{Compiled, Purpose, VariableSource, compile, load, version};
use poolwright_model::layout::{Cohort, KueueCluster, SlurmCluster, SlurmPartition};
use poolwright_model::{Address, Resource};
use poolwright_target::files::OsFiles;

use crate::support::root;

/// The folder of an example; challenges begin with their number.
fn folder(name: &str) -> std::path::PathBuf {
    let challenge = name.starts_with(|first: char| first.is_ascii_digit());
    root().join(if challenge { "examples/challenges" } else { "examples" }).join(name)
}

/// An example as the commands that look at a fleet see it.
pub(crate) fn compiled(name: &str) -> Compiled {
    compiled_with(name, &[])
}

/// An example with values of its variables, each as on the command line: `on=target.slurm.as["slinky"]`.
pub(crate) fn compiled_with(name: &str, given: &[&str]) -> Compiled {
    let given: Vec<VariableSource> =
        given.iter().map(|text| VariableSource::Argument((*text).to_owned())).collect();
    let loaded = load(&OsFiles::new(folder(name)), &version(), &given);
    match compile(loaded, Purpose::Look) {
        Ok(compiled) => compiled,
        Err(faulty) => panic!("{name}: {}", render::short(&faulty.diagnostics, &faulty.sources)),
    }
}

/// What a fleet, not its targets, is told: warnings and notes beside what comes later, by code and message.
pub(crate) fn remarks(compiled: &Compiled) -> Vec<String> {
    let later = ["PW9001", "PW9002"];
    let mine = compiled.diagnostics.iter().filter(|found| !later.contains(&found.code.0));
    mine.map(|found| format!("{} {}", found.code.0, found.message)).collect()
}

/// What those who write are refused, all of it because it comes later, as `at` and what of it. Nothing else is an error.
pub(crate) fn refused(name: &str) -> Vec<String> {
    refused_with(name, &[])
}

/// [`refused`], with values of variables.
pub(crate) fn refused_with(name: &str, given: &[&str]) -> Vec<String> {
    let given: Vec<VariableSource> =
        given.iter().map(|text| VariableSource::Argument((*text).to_owned())).collect();
    let loaded = load(&OsFiles::new(folder(name)), &version(), &given);
    let faulty = match compile(loaded, Purpose::Write) {
        Ok(_) => return Vec::new(),
        Err(faulty) => faulty,
    };
    let errors = faulty.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let said = errors.map(|error: &Diagnostic| {
        assert_eq!(error.code.0, "PW9001", "{name}: {}", error.message);
        let (what, _) = error.message.split_once(" is checked, and ").unwrap();
        let more = error.message.split_once("; so it is for ").map_or("", |(_, more)| more);
        let same = error.notes.iter().find_map(|note| note.strip_prefix("the same in "));
        let also = [more, same.unwrap_or("")].concat();
        [what, &also].join(if also.is_empty() { "" } else { ", " }).replace('`', "")
    });
    said.collect()
}

/// The answers to expressions about an example, as the console prints them.
pub(crate) fn asked<const N: usize>(name: &str, questions: [&str; N]) -> [String; N] {
    let questions = questions.map(str::to_owned);
    let answers = poolwright_driver::console(&OsFiles::new(folder(name)), &version(), &[], &questions);
    let mut answers = answers.answers.into_iter();
    questions.map(|question| match answers.next().unwrap() {
        Ok(value) => value.to_string(),
        Err(faults) => panic!("{question}: {faults:?}"),
    })
}

pub(crate) trait Found {
    fn kueue(&self, target: &str) -> &KueueCluster;
    fn slurm(&self, target: &str) -> &SlurmCluster;
    /// Objects of a target of one kind: its identity without the kind, and the object.
    fn objects(&self, target: &str, kind: &str) -> Vec<(&str, &Resource)>;
}

impl Found for Compiled {
    fn kueue(&self, target: &str) -> &KueueCluster {
        &self.layout.kueue[&Address::new(target)]
    }
    fn slurm(&self, target: &str) -> &SlurmCluster {
        &self.layout.slurm[&Address::new(target)]
    }
    fn objects(&self, target: &str, kind: &str) -> Vec<(&str, &Resource)> {
        let all = self.objects[&Address::new(target)].iter().filter(|object| object.kind == kind);
        all.map(|object| (object.identity.split_once(&format!("{kind}/")).unwrap().1, object)).collect()
    }
}

/// `flavor resource nominal (+borrowing) [lending]` of a cohort, as people read it.
pub(crate) fn quotas(cohort: &Cohort) -> Vec<String> {
    let flavors = cohort.groups.iter().flat_map(|group| group.flavors.iter());
    let quotas = flavors.flat_map(|flavor| flavor.quotas.iter().map(move |quota| (flavor, quota)));
    let text = quotas.map(|(flavor, quota)| {
        let borrow = quota.borrowing.map(|amount| format!(" (+{amount})")).unwrap_or_default();
        let lend = quota.lending.map(|amount| format!(" [{amount}]")).unwrap_or_default();
        format!("{} {} {}{borrow}{lend}", flavor.flavor, quota.resource, quota.nominal)
    });
    text.collect()
}

/// Hosts of a partition: those of its NodeSets.
pub(crate) fn hosts(cluster: &SlurmCluster, partition: &SlurmPartition) -> usize {
    let sets = cluster.node_sets.iter().filter(|set| partition.node_sets.contains(&set.name));
    sets.map(|set| set.hosts.0.len()).sum()
}
