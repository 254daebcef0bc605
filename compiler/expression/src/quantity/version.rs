//! Versions and constraints on them.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::unit::UnitError;

/// A version: numeric parts, compared part by part; missing parts count as 0.
#[derive(Clone, Debug)]
pub struct Version {
    /// As written.
    pub text: String,
    /// The numeric parts.
    pub parts: Vec<u64>,
}

impl Version {
    /// `1.33`, `0.19.2`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let fail = |help: &str| UnitError::new(format!("\"{text}\" is not a version"), help);
        if text.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            return Err(fail("write it without the \"v\""));
        }
        let parts: Option<Vec<u64>> = text
            .split('.')
            .map(|part| {
                let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
                digits.then(|| part.parse().ok()).flatten()
            })
            .collect();
        let parts = parts
            .ok_or_else(|| fail("a version is whole numbers with dots between: \"0.19\", \"1.33.4\""))?;
        if parts.len() > 8 {
            return Err(fail("a version has at most 8 parts"));
        }
        Ok(Self { text: text.to_owned(), parts })
    }

    /// The parts without zeros at the end: what decides about equality.
    fn significant(&self) -> &[u64] {
        let end = self.parts.iter().rposition(|part| *part != 0).map_or(0, |last| last + 1);
        self.parts.get(..end).unwrap_or_default()
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

impl Hash for Version {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.significant().hash(state);
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.significant().cmp(other.significant())
    }
}

/// As it was written.
impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a version has to be: `>= 0.1`, `~> 1.2`, several with commas between, all of which must hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VersionConstraint {
    terms: Vec<(Comparison, Version)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Comparison {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    /// `~> 1.2`: at least 1.2, below 2; `~> 1.2.3`: at least 1.2.3, below 1.3.
    Compatible,
}

/// The longer signs come first, since the shorter ones begin them.
const SIGNS: [(&str, Comparison); 7] = [
    ("~>", Comparison::Compatible),
    (">=", Comparison::GreaterOrEqual),
    ("<=", Comparison::LessOrEqual),
    ("!=", Comparison::NotEqual),
    (">", Comparison::Greater),
    ("<", Comparison::Less),
    ("=", Comparison::Equal),
];

impl VersionConstraint {
    /// `>= 0.1`, `~> 1.2`, `>= 1.30, < 1.34`; a bare version means exactly that one.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let terms: Result<Vec<_>, UnitError> = text
            .split(',')
            .map(|term| {
                let term = term.trim();
                let (sign, rest) = SIGNS
                    .iter()
                    .find_map(|(sign, meaning)| term.strip_prefix(sign).map(|rest| (*meaning, rest)))
                    .unwrap_or((Comparison::Equal, term));
                Ok((sign, Version::parse(rest.trim())?))
            })
            .collect();
        let terms = terms.map_err(|error| {
            let help = "a version constraint is written \">= 0.1\", \"~> 1.2\" or \">= 1.30, < 1.34\"";
            UnitError::new(format!("\"{text}\" is not a version constraint: {}", error.message), help)
        })?;
        Ok(Self { terms })
    }

    /// Whether a version satisfies every term.
    #[must_use]
    pub fn matches(&self, version: &Version) -> bool {
        self.terms.iter().all(|(comparison, bound)| match comparison {
            Comparison::Equal => version == bound,
            Comparison::NotEqual => version != bound,
            Comparison::Greater => version > bound,
            Comparison::GreaterOrEqual => version >= bound,
            Comparison::Less => version < bound,
            Comparison::LessOrEqual => version <= bound,
            Comparison::Compatible => version >= bound && below_next(version, bound),
        })
    }
}

/// Whether all parts but the last of `bound` are the same.
fn below_next(version: &Version, bound: &Version) -> bool {
    let fixed = bound.parts.len().saturating_sub(1).max(1);
    (0..fixed)
        .all(|at| version.parts.get(at).copied().unwrap_or(0) == bound.parts.get(at).copied().unwrap_or(0))
}

impl fmt::Display for VersionConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (comparison, version)) in self.terms.iter().enumerate() {
            let sign = SIGNS.iter().find(|(_, meaning)| meaning == comparison).map_or("=", |(sign, _)| sign);
            write!(f, "{}{sign} {version}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
