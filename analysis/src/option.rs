//! Which options cannot be? Numbers that break their rule.

/// A number that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{what} of {value} is not possible: {rule}")]
pub struct OptionError {
    /// Which one.
    pub what: &'static str,
    /// As given.
    pub value: f64,
    /// What it has to be.
    pub rule: &'static str,
}

/// Refuses a number that breaks its rule.
pub(crate) fn check(what: &'static str, value: f64, fits: bool, rule: &'static str) -> Result<(), OptionError> {
    if value.is_finite() && fits { Ok(()) } else { Err(OptionError { what, value, rule }) }
}
