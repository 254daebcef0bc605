//! Kubernetes taints.

use std::fmt;

use poolwright_diagnostics::suggestion_help;

use super::unit::UnitError;

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

const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

impl Taint {
    /// `key=value:NoSchedule`, `key:NoExecute`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let fail = |help: String| UnitError::new(format!("\"{text}\" is not a taint"), help);
        let form = "a taint is written \"key=value:NoSchedule\" or \"key:NoSchedule\"";
        let (pair, effect) = text.rsplit_once(':').ok_or_else(|| fail(form.into()))?;
        if !EFFECTS.contains(&effect) {
            let help = suggestion_help("effect", effect, EFFECTS);
            return Err(fail(help.unwrap_or_else(|| format!("effects: {}", EFFECTS.join(", ")))));
        }
        let (key, value) = match pair.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (pair, None),
        };
        let bad = |part: &str| !part.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
        if key.is_empty() || key.len() > 253 + 64 || bad(key) {
            return Err(fail(format!("the key is letters, digits and \"-_./\"; {form}")));
        }
        if value.is_some_and(|value| value.len() > 63 || bad(value)) {
            return Err(fail("the value is at most 63 letters, digits and \"-_.\"".into()));
        }
        let value = value.filter(|value| !value.is_empty()).map(str::to_owned);
        Ok(Self { key: key.to_owned(), value, effect: effect.to_owned() })
    }
}

impl fmt::Display for Taint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}={value}:{}", self.key, self.effect),
            None => write!(f, "{}:{}", self.key, self.effect),
        }
    }
}
