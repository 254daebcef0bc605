//! Addresses of objects (CONTRACT §5): `slurm.hpc/slurm/Partition/urgent`.

use poolwright_target::names::address_part;

/// The address of an object on a target, `short` being `slurm.hpc`.
pub(crate) fn address(short: &str, kind: &str, name: &str) -> String {
    format!("{short}/{}", identity(kind, name))
}

/// What identifies an object on its target: `slurm/Partition/urgent`.
pub(crate) fn identity(kind: &str, name: &str) -> String {
    format!("slurm/{kind}/{}", address_part(name))
}
