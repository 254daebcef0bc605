//! `env` of a fabric: what communication libraries are told, by names that they read.

use poolwright_catalog::Variable;
use poolwright_diagnostics::Diagnostic;
use poolwright_model::fleet::{Fabric, FabricEnv, FabricKind};

use crate::codes;
use crate::values::Values;

/// The most entries of a port's table of partition keys that any adapter shows (InfiniBand specification 1.3,
/// `PartitionCap` of a channel adapter; ConnectX has 128).
const MOST_PKEYS: u64 = 128;

/// What `interface` and `hcas` are lowered to, and which of the two.
const GIVEN: [(&str, &str); 3] =
    [("NCCL_SOCKET_IFNAME", "interface"), ("NCCL_IB_HCA", "hcas"), ("UCX_NET_DEVICES", "hcas")];

/// All of them.
pub(super) fn check(values: &Values<'_, '_>, fabric: &Fabric) {
    let Some(env) = &fabric.env else { return };
    for (name, value) in &env.set {
        spelling(values, fabric, name);
        if let Some((what, help)) = fault(fabric, env, name, value) {
            values.report(
                Diagnostic::warning(
                    codes::VARIABLE_VALUE,
                    format!("`{name}` of `{}` {what}", fabric.meta.address),
                )
                .at(fabric.meta.origin.of(&format!("env.set.{name}")), "set here")
                .with_help(help),
            );
        }
    }
}

/// A name that no library reads does nothing, and no library says so.
fn spelling(values: &Values<'_, '_>, fabric: &Fabric, name: &str) {
    let (message, near) = match poolwright_catalog::variable(name) {
        Variable::Known => return,
        Variable::Unread(near) => (format!("no version of NCCL reads `{name}`"), near),
        Variable::Alike(near) => {
            (format!("`{name}` is spelt almost like a variable that is known"), Some(near))
        }
    };
    let help = match near {
        None => "remove it, or write it as NVIDIA's list of NCCL's variables does".to_owned(),
        Some(near) => format!("a variable with a similar name exists: `{near}`"),
    };
    values.report(
        Diagnostic::warning(codes::VARIABLE, message)
            .at(fabric.meta.origin.of(&format!("env.set.{name}")), "would be ignored without a word")
            .with_help(help),
    );
}

/// What is wrong with a variable of this fabric, and what to do.
fn fault(fabric: &Fabric, env: &FabricEnv, name: &str, value: &str) -> Option<(String, String)> {
    if let Some((_, attribute)) = GIVEN.iter().find(|(given, _)| *given == name) {
        let names = env.hcas.0.iter().any(|hca| {
            let ports: Vec<&str> = value.split(',').map(|part| part.trim_start_matches(['^', '='])).collect();
            ports.iter().any(|port| port.split(':').next() == Some(hca.as_str()))
        });
        let prefix = name == "NCCL_IB_HCA" && names && !value.trim_start_matches('^').starts_with('=');
        let what = format!("is what `{attribute}` says already");
        return Some((
            if prefix {
                format!("{what}, and without `=` it takes every adapter that begins so")
            } else {
                what
            },
            format!("remove it: `{attribute}` is written in the exact form"),
        ));
    }
    // NCCL documentation, NCCL_IB_PKEY: an index into the table of the port, not a key.
    if name == "NCCL_IB_PKEY"
        && let Ok(number) = parse(value)
        && (number >= MOST_PKEYS || fabric.pkey.map(u64::from) == Some(number & 0x7fff))
    {
        return Some((
            format!("is an index into the port's table of keys, and `{value}` looks like a key"),
            "write the index, mostly 0, or remove it; the key itself is `pkey` of the fabric".to_owned(),
        ));
    }
    // aws-ofi-nccl takes NCCL to libfabric; InfiniBand verbs are not used.
    (fabric.kind == FabricKind::Efa && name.starts_with("NCCL_IB_") && name != "NCCL_IB_DISABLE").then(|| {
        (
            "has no effect: over EFA NCCL uses libfabric, not InfiniBand".to_owned(),
            "remove it; libfabric's own variables begin with `FI_`".to_owned(),
        )
    })
}

fn parse(value: &str) -> Result<u64, std::num::ParseIntError> {
    match value.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => value.parse(),
    }
}
