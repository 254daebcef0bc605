//! Addresses of objects (CONTRACT §5): `slurm.hpc/slurm/Partition/urgent`.

/// The address of an object on a target, `short` being `slurm.hpc`.
pub(crate) fn address(short: &str, kind: &str, name: &str) -> String {
    format!("{short}/{}", identity(kind, name))
}

/// What identifies an object on its target: `slurm/Partition/urgent`.
pub(crate) fn identity(kind: &str, name: &str) -> String {
    format!("slurm/{kind}/{}", escape(name))
}

fn escape(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '%' => text.push_str("%25"),
            '/' => text.push_str("%2F"),
            '"' => text.push_str("%22"),
            other => text.push(other),
        }
    }
    text
}
