//! `--fail-on AUDIENCE=LEVEL`, and what else selects changes.

use std::fmt;
use std::str::FromStr;

use bothends::diff::{Audience, Level, Threshold};
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A threshold, or `none`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FailOn(pub(in crate::cli) Option<Threshold>);

impl Default for FailOn {
    fn default() -> Self {
        Self(Some(Threshold::default()))
    }
}

impl fmt::Display for FailOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(threshold) => threshold.fmt(f),
            None => f.write_str("none"),
        }
    }
}

impl FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self(None)),
            _ => text.parse().map(|threshold| Self(Some(threshold))),
        }
    }
}

/// Returns the parser of an audience.
pub(crate) fn audience() -> impl TypedValueParser<Value = Audience> {
    PossibleValuesParser::new(Audience::ALL.map(Audience::name)).try_map(|text| text.parse())
}

/// Returns the parser of a level.
pub(crate) fn level() -> impl TypedValueParser<Value = Level> {
    let levels = [Level::Safe, Level::Attention, Level::Breaking];
    PossibleValuesParser::new(levels.map(Level::name)).try_map(|text| text.parse())
}
