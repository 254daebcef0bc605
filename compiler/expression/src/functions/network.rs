//! IP networks: prefixes in CIDR notation, IPv4 and IPv6.

// Addresses alone: `core` has no sockets.
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::Function;
use super::call::{Call, returns, text};
use crate::{Fault, Number, Value, codes};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "cidrcontains",
        &[("network", "a network"), ("part", "an address or a network of the same family")],
        "Whether an address or network lies in a network.",
        returns::bool,
        cidrcontains,
    )
    .examples(&[
        (r#"cidrcontains("10.0.0.0/16", "10.0.7.1")"#, "true"),
        (r#"cidrcontains("10.0.0.0/16", "10.0.0.0/8")"#, "false"),
        (r#"cidrcontains("10.0.0.0/16", "::1")"#, "error: `cidrcontains`: one is IPv4 and the other IPv6"),
    ]),
    Function::new(
        "cidrhost",
        &[("network", "a network"), ("number", "the address's number; a negative one counts from the end")],
        "An address of a network, by its number.",
        returns::text,
        cidrhost,
    )
    .examples(&[
        (r#"cidrhost("10.12.112.0/20", 16)"#, r#""10.12.112.16""#),
        (r#"cidrhost("10.0.0.0/24", -1)"#, r#""10.0.0.255""#),
        (
            r#"cidrhost("10.0.0.0/30", 4)"#,
            "error: `cidrhost`: 10.0.0.0/30 has 4 addresses, there is no number 4",
        ),
    ]),
    Function::new(
        "cidrnetmask",
        &[("network", "an IPv4 network")],
        "The mask of an IPv4 network.",
        returns::text,
        cidrnetmask,
    )
    .examples(&[(r#"cidrnetmask("172.16.0.0/12")"#, r#""255.240.0.0""#)]),
    Function::new(
        "cidrsubnet",
        &[
            ("network", "a network"),
            ("newbits", "how many bits longer the prefix becomes"),
            ("number", "the number of the part, from 0"),
        ],
        "A part of a network, by its number.",
        returns::text,
        cidrsubnet,
    )
    .examples(&[
        (r#"cidrsubnet("10.0.0.0/16", 8, 2)"#, r#""10.0.2.0/24""#),
        (r#"cidrsubnet("fd00::/48", 16, 162)"#, r#""fd00:0:0:a2::/64""#),
        (
            r#"cidrsubnet("10.0.0.0/16", 1, 2)"#,
            "error: `cidrsubnet`: 1 bits number 2 parts, there is no number 2",
        ),
    ]),
    Function::new(
        "cidrsubnets",
        &[("network", "a network"), ("newbits", "for each part, how many bits longer its prefix is")],
        "Parts of a network one after the other, each as large as it says.",
        returns::texts,
        cidrsubnets,
    )
    .variadic()
    .required(1)
    .examples(&[
        (r#"cidrsubnets("10.1.0.0/16", 4, 4, 8)"#, r#"["10.1.0.0/20", "10.1.16.0/20", "10.1.32.0/24"]"#),
        (
            r#"cidrsubnets("10.0.0.0/24", 1, 1, 1)"#,
            "error: `cidrsubnets`: 10.0.0.0/24 has no room for another /25",
        ),
    ]),
];

/// A network: its address, without bits beyond the prefix.
#[derive(Clone, Copy)]
struct Network {
    address: u128,
    prefix: u32,
    /// Bits of an address: 32 or 128.
    width: u32,
}

impl Network {
    /// `1.2.3.0/24`; an address alone is not one.
    fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/')?;
        let (address, width) = parse_address(address)?;
        let digits =
            !prefix.is_empty() && prefix.len() <= 3 && prefix.bytes().all(|byte| byte.is_ascii_digit());
        let prefix = prefix.parse().ok().filter(|prefix| digits && *prefix <= width)?;
        Some(Self { address, prefix, width }.masked())
    }

    /// How many bits number its addresses.
    fn free(self) -> u32 {
        self.width - self.prefix
    }

    fn masked(self) -> Self {
        Self {
            address: self.address.checked_shr(self.free()).unwrap_or(0).checked_shl(self.free()).unwrap_or(0),
            ..self
        }
    }

    /// The last address.
    fn last(self) -> u128 {
        self.address | ones(self.free())
    }

    fn show(self) -> String {
        format!("{}/{}", show_address(self.address, self.width), self.prefix)
    }
}

/// A number of so many bits, all set.
fn ones(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

fn parse_address(text: &str) -> Option<(u128, u32)> {
    match text.parse().ok()? {
        IpAddr::V4(address) => Some((u32::from(address).into(), 32)),
        IpAddr::V6(address) => Some((address.into(), 128)),
    }
}

fn show_address(address: u128, width: u32) -> String {
    match u32::try_from(address) {
        Ok(address) if width == 32 => Ipv4Addr::from(address).to_string(),
        _ => Ipv6Addr::from(address).to_string(),
    }
}

fn network(call: &Call<'_>) -> Result<Network, Fault> {
    let written = call.text(0)?;
    Network::parse(&written).ok_or_else(|| {
        let found = Value::string(&written);
        call.fault(0, format_args!("{found} is not a network in CIDR notation"))
            .help("a network is written \"10.0.0.0/16\" or \"fd00::/48\", without zeros before a number")
    })
}

fn cidrcontains(call: &Call<'_>) -> Result<Value, Fault> {
    let (outer, written) = (network(call)?, call.text(1)?);
    let single = |(address, width)| Network { address, prefix: width, width };
    let inner =
        Network::parse(&written).or_else(|| parse_address(&written).map(single)).ok_or_else(|| {
            call.fault(1, format_args!("{} is neither an address nor a network", Value::string(&written)))
        })?;
    if outer.width != inner.width {
        return Err(call.fault(1, "one is IPv4 and the other IPv6"));
    }
    Ok(Value::Bool(outer.address <= inner.address && inner.last() <= outer.last()))
}

/// A whole number as an offset: whether it counts from the end, and its size.
fn offset(call: &Call<'_>, index: usize) -> Result<(bool, Option<u128>), Fault> {
    let number: Number = call.number(index)?;
    if !number.is_integer() {
        return Err(call.wanted(index, "a whole number"));
    }
    Ok((number.is_negative(), number.abs().to_string().parse().ok()))
}

fn cidrhost(call: &Call<'_>) -> Result<Value, Fault> {
    let network = network(call)?;
    let (negative, size) = offset(call, 1)?;
    let most = ones(network.free());
    let number = match (negative, size) {
        (false, Some(size)) if size <= most => Some(size),
        (true, Some(size)) if size - 1 <= most => Some(most - (size - 1)),
        _ => None,
    };
    let Some(number) = number else {
        let count =
            if network.free() >= 64 { format!("2^{}", network.free()) } else { (most + 1).to_string() };
        let (shown, wanted) = (network.show(), call.argument(1));
        let message = format!("{shown} has {count} addresses, there is no number {wanted}");
        return Err(call.fault(1, message));
    };
    text(show_address(network.address | number, network.width))
}

fn cidrnetmask(call: &Call<'_>) -> Result<Value, Fault> {
    let network = network(call)?;
    if network.width != 32 {
        return Err(call.fault(0, "IPv6 networks have no mask").help("say the length of the prefix"));
    }
    text(show_address(ones(32) & !ones(network.free()), 32))
}

/// The network with a longer prefix.
fn longer(call: &Call<'_>, network: Network, index: usize) -> Result<Network, Fault> {
    let bits = call.size(index)?;
    match u32::try_from(bits).ok().filter(|bits| *bits <= network.free()) {
        Some(bits) => Ok(Network { prefix: network.prefix + bits, ..network }),
        None => {
            let (shown, free) = (network.show(), network.free());
            Err(call.fault(index, format_args!("{shown} has {free} bits left, not {bits}")))
        }
    }
}

fn cidrsubnet(call: &Call<'_>) -> Result<Value, Fault> {
    let network = network(call)?;
    let part = longer(call, network, 1)?;
    let bits = part.prefix - network.prefix;
    let (negative, size) = offset(call, 2)?;
    match size {
        Some(size) if (!negative || size == 0) && size <= ones(bits) => {
            let address = network.address | size.checked_shl(part.free()).unwrap_or(0);
            text(Network { address, ..part }.show())
        }
        _ => {
            let count = if bits >= 64 { format!("2^{bits}") } else { (ones(bits) + 1).to_string() };
            let wanted = call.argument(2);
            Err(call.fault(2, format_args!("{bits} bits number {count} parts, there is no number {wanted}")))
        }
    }
}

fn cidrsubnets(call: &Call<'_>) -> Result<Value, Fault> {
    let network = network(call)?;
    let mut parts = Vec::new();
    // The first address that is not given away; none after the last one of all.
    let mut next = Some(network.address);
    for index in 1..call.arguments.len() {
        let part = longer(call, network, index)?;
        let size = ones(part.free());
        // Up to where a part of this size can begin.
        let start = next.and_then(|next| next.checked_add(size)).map(|next| next & !size);
        let part = start.map(|address| Network { address, ..part });
        let Some(part) = part.filter(|part| part.last() <= network.last() && part.address >= network.address)
        else {
            let (shown, prefix) = (network.show(), longer(call, network, index)?.prefix);
            let message = format!("`{}`: {shown} has no room for another /{prefix}", call.name);
            return Err(Fault::new(codes::BAD_ARGUMENT, message).argument(index));
        };
        next = part.last().checked_add(1);
        parts.push(Value::string(&part.show()));
    }
    Ok(Value::list(parts))
}
