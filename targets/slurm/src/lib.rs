//! The Slurm target: from a cluster's layout to its objects, from objects to Slurm's files and back.
//!
//! Objects are Config, Node, NodeSet, Partition, Gres, Switch or Block, Qos, Account and JobSubmit; their files are
//! `poolwright.conf` (included from the site's slurm.conf), `gres.conf`, `topology.conf`, `job_submit.lua` and two
//! files of sacctmgr commands. There are two because slurmdbd and slurmctld wait for each other: partitions name QoS
//! (an unknown one is fatal from Slurm 25.11), and limits name GPU types that slurmdbd learns from slurmctld. So:
//!
//! 1. `sacctmgr -i < qos.cfg` adds the QoS and sets what needs no TRES;
//! 2. slurmctld starts with, or is told of, `poolwright.conf`;
//! 3. `sacctmgr -i < accounts.cfg` sets limits per job, adds the accounts and sets theirs.
//!
//! `sacctmgr load` is not used: it knows no QoS. Each line can be run again; sacctmgr 22.05 answers `Nothing new added`
//! to an `add` of what is there, goes on, and ends with code 1. What is not wanted is cleared (`-1`), not left.
//! An account's QoS are added to those it has, so that the site's own partitions keep working.
//!
//! This crate knows no network, no file and no clock. It never writes a key that the target's version does not know
//! (`data/keys.tsv`), nor anything that Slurm would take in silence and misread. Enter at [`Slurm`].

mod address;
pub mod codes;
mod form;
mod keys;
mod lower;
mod lua;
mod normal;
mod parse;
mod render;

use poolwright_model::Resource;
use poolwright_model::resource::{File, Observed};
use poolwright_target::{FileFault, Input, Lowered, Target};
use serde_json::Value;

/// The version that real daemons have judged.
const PROVEN: [u64; 2] = [22, 5];

/// Slurm as a kind of target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slurm;

impl Target for Slurm {
    fn kind(&self) -> &'static str {
        "slurm"
    }

    /// Its files run on slurmctld, slurmd and slurmdbd 22.05.8 (`tests/e2e/slurm/run.sh`); those of other versions are
    /// held by `data/keys.tsv` only.
    fn support(&self, target: &poolwright_model::fleet::Target) -> &'static str {
        let proven = target.slurm().is_some_and(|slurm| slurm.version.parts.starts_with(&PROVEN));
        if proven { "live-proven" } else { "schema-checked" }
    }

    fn lower(&self, input: Input<'_>) -> Lowered {
        lower::lower(input)
    }

    fn to_files(
        &self,
        target: &poolwright_model::fleet::Target,
        fleet: &str,
        resources: &[Resource],
    ) -> Vec<File> {
        render::to_files(target, fleet, resources)
    }

    fn from_files(
        &self,
        target: &poolwright_model::fleet::Target,
        files: &[File],
    ) -> (Vec<Observed>, Vec<FileFault>) {
        parse::from_files(target, files)
    }

    fn normalise(&self, kind: &str, body: &mut Value) {
        normal::normalise(kind, body);
    }

    /// By position: a lot may have two groups of equal devices, near different cores.
    fn list_key(&self, _kind: &str, _pointer: &str) -> Option<&'static str> {
        None
    }

    /// Slurm changes every field in place; some of them need a restart of slurmctld, which is not a new object.
    fn immutable(
        &self,
        _target: &poolwright_model::fleet::Target,
        _kind: &str,
        _pointer: &str,
    ) -> Option<String> {
        None
    }
}
