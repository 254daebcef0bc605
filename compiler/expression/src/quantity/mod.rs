//! Quantities: values with a unit or a form of their own (LANGUAGE §3.8). One file each; the model uses them
//! as they are.

use crate::Number;

/// A quantity as a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// `"15m"`
    Duration(Duration),
    /// `"80GiB"`
    Bytes(Bytes),
    /// `"400Gbps"`
    Bandwidth(Bandwidth),
    /// `"8.5kW"`
    Power(Power),
    /// `"12kWh"`
    Energy(Energy),
    /// `"$2.10/gpu/h"`
    Money(Money),
    /// `"15%"`
    Percent(Percent),
    /// `gpus(8)`, `nodes(2)`
    Count(Count),
    /// `"0..16"`
    Range(Range),
    /// `"gpu[001-016]"`
    Hosts(Hosts),
    /// `"2027-01-31"`
    Date(Date),
    /// `"0.19"`
    Version(Version),
    /// `"eu-*"`
    Pattern(Pattern),
    /// `"k=v:NoSchedule"`
    Taint(Taint),
}

/// A span of time, in seconds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(pub Number);

/// An amount of data, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub Number);

/// A data rate, in bits per second.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bandwidth(pub Number);

/// Power, in watts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Power(pub Number);

/// Energy, in watt-hours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Energy(pub Number);

/// A share: 0.15 for 15 %.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(pub Number);

/// Money, perhaps per GPU, node or kWh, perhaps per time. Ordered only through [`Money::compare`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Money {
    /// How much, in the currency's main unit.
    pub amount: Number,
    /// ISO 4217: three capital letters.
    pub currency: Currency,
    /// Per what.
    pub per: Option<PerUnit>,
    /// Per which time.
    pub time: Option<PerTime>,
}

/// An ISO 4217 code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(pub [u8; 3]);

/// What money is counted per.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PerUnit {
    /// `/gpu`
    Gpu,
    /// `/node`
    Node,
    /// `/kWh`
    KilowattHour,
}

/// The time that money is counted per. A month has 730 h, a year 8760 h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PerTime {
    /// `/h`
    Hour,
    /// `/day`
    Day,
    /// `/month`
    Month,
    /// `/year`
    Year,
}

/// So many GPUs or nodes: money per GPU times a count of GPUs loses the `/gpu`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count {
    /// How many.
    pub number: Number,
    /// Of what.
    pub unit: CountUnit,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CountUnit {
    /// `gpus(8)`
    Gpus,
    /// `nodes(2)`
    Nodes,
}

/// Whole numbers from `min` to `max`, both included; `None` is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    /// The least; 0 where the text left it out.
    pub min: u64,
    /// The most, if there is one.
    pub max: Option<u64>,
}

/// Host names, in the order written, and the text that named them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hosts(pub Vec<String>);

/// A day, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year.
    pub year: i16,
    /// 1 to 12.
    pub month: i8,
    /// 1 to 31.
    pub day: i8,
}

/// A version: numeric parts, compared part by part; missing parts count as 0.
#[derive(Clone, Debug)]
pub struct Version {
    /// As written.
    pub text: String,
    /// The numeric parts.
    pub parts: Vec<u64>,
}

/// A text with `*` for any run of characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(pub String);

/// A Kubernetes taint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Taint {
    /// The key.
    pub key: String,
    /// The value, if any.
    pub value: Option<String>,
    /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
    pub effect: String,
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let part = |version: &Self, at: usize| version.parts.get(at).copied().unwrap_or(0);
        (0..self.parts.len().max(other.parts.len())).map(|at| part(self, at).cmp(&part(other, at))).find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    }
}
