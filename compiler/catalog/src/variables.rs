//! Environment variables of communication libraries: which names are read by anybody.

use poolwright_diagnostics::did_you_mean;

use crate::catalogue;

/// What is known of the name of an environment variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// Somebody reads it, or nothing here says who would.
    Known,
    /// No version of the only reader of such names knows it; the name that was probably meant, if one is near.
    Unread(Option<&'static str>),
    /// It may be right, but is spelt almost like this one, which is known.
    Alike(&'static str),
}

/// What is known of a name: `NCCL_SOKET_IFNAME`.
#[must_use]
pub fn variable(name: &str) -> Variable {
    let tables = || catalogue().variables.iter().filter(|facts| name.starts_with(facts.prefix.as_str()));
    let names = || tables().flat_map(|facts| facts.names.iter().map(String::as_str));
    let known = |known: &str| match known.strip_suffix('*') {
        Some(family) => name.starts_with(family),
        None => known == name,
    };
    if tables().next().is_none() || names().any(known) {
        return Variable::Known;
    }
    let whole = || names().filter(|known| !known.ends_with('*'));
    if tables().any(|facts| facts.closed) {
        return Variable::Unread(did_you_mean(name, whole()).into_iter().next());
    }
    // Of an open family only a slip of the pen is sure enough: a letter or two, and not a name that goes on.
    did_you_mean(name, whole())
        .into_iter()
        .find(|known| known.len().abs_diff(name.len()) <= 1 && slips(known, name) <= 2)
        .map_or(Variable::Known, Variable::Alike)
}

/// In how many places two names of about the same length differ after what begins and ends alike in both.
fn slips(a: &str, b: &str) -> usize {
    let same = |(a, b): &(u8, u8)| a == b;
    let begin = a.bytes().zip(b.bytes()).take_while(same).count();
    let end = a.bytes().rev().zip(b.bytes().rev()).take_while(same).count();
    a.len().max(b.len()).saturating_sub(begin + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_or_spelt_almost_so() {
        for name in [
            "NCCL_DEBUG",
            "NCCL_IB_HCA",
            "NCCL_FASTRAK_CTRL_DEV",
            "UCX_TLS",
            "FI_PROVIDER",
            "OMP_NUM_THREADS",
        ] {
            assert_eq!(variable(name), Variable::Known, "{name}");
        }
        assert_eq!(variable("NCCL_SOKET_IFNAME"), Variable::Unread(Some("NCCL_SOCKET_IFNAME")));
        assert!(matches!(variable("NCCL_NOBODY_READS_THIS"), Variable::Unread(_)));
        assert_eq!(variable("UCX_NET_DEVICE"), Variable::Alike("UCX_NET_DEVICES"));
        // A transport of a later version.
        assert_eq!(variable("UCX_GGA_MLX5_TX_QUEUE_LEN"), Variable::Known);
    }
}
