//! What a report shows, and which changes fail it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::bump::BumpScope;
use super::change::Change;
use super::rules::{Audience, Level};

/// A level that fails the comparison if a change reaches it for an audience.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    /// The audience.
    pub audience: Audience,
    /// The level: `attention` or `breaking`.
    pub level: Level,
}

impl Default for Threshold {
    fn default() -> Self {
        Self {
            audience: Audience::WireClients,
            level: Level::Breaking,
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.audience.name(), self.level.name())
    }
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = text.split_once('=').and_then(|(audience, level)| {
            Some(Self {
                audience: audience.parse().ok()?,
                level: level.parse().ok().filter(|level| *level > Level::Safe)?,
            })
        });
        found.ok_or_else(|| {
            let audiences = Audience::ALL.map(Audience::name).join("`, `");
            format!(
                "a threshold is AUDIENCE=LEVEL or `none`; audiences are `{audiences}`; levels are \
                 `breaking`, `attention`"
            )
        })
    }
}

impl FromStr for Audience {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL
            .into_iter()
            .find(|audience| audience.name() == text);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join("`, `");
            format!("unknown audience `{text}`; audiences are `{names}`")
        })
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Safe, Self::Attention, Self::Breaking];
        let found = all.into_iter().find(|each| each.name() == text);
        found.ok_or_else(|| {
            format!("unknown level `{text}`; levels are `safe`, `attention`, `breaking`")
        })
    }
}

/// What a report shows, and which changes fail it.
#[derive(Debug, Clone)]
pub struct View {
    /// The levels that fail the comparison.
    pub fail_on: Vec<Threshold>,
    /// The audiences whose effects are listed.
    pub audiences: Vec<Audience>,
    /// The lowest level of the changes to list. `None` is `safe` for programs, and `attention` for
    /// people.
    pub min_severity: Option<Level>,
    /// The largest number of changes to list.
    pub limit: Option<usize>,
    /// Whether reasons, positions and fingerprints follow each line.
    pub details: bool,
    /// The changes that the version bump counts.
    pub bump: BumpScope,
    /// The folder that the paths of SARIF are relative to.
    pub base: Option<PathBuf>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            fail_on: vec![Threshold::default()],
            audiences: Audience::ALL.into(),
            min_severity: None,
            limit: None,
            details: false,
            bump: BumpScope::default(),
            base: None,
        }
    }
}

impl View {
    /// Returns the view of all changes, of which none fails.
    #[must_use]
    pub fn of_all() -> Self {
        Self {
            fail_on: Vec::new(),
            min_severity: Some(Level::Safe),
            ..Self::default()
        }
    }

    /// Returns whether a change reaches a level of `fail_on`. An accepted change does not.
    #[must_use]
    pub fn fails(&self, change: &Change) -> bool {
        let reaches =
            |threshold: &Threshold| change.outcome(threshold.audience).level >= threshold.level;
        change.accepted.is_none() && self.fail_on.iter().any(reaches)
    }

    /// Returns the highest level of a change for the selected audiences.
    pub(super) fn level(&self, change: &Change) -> Level {
        let levels = self
            .audiences
            .iter()
            .map(|audience| change.outcome(*audience).level);
        levels.max().unwrap_or(Level::Safe)
    }

    /// Returns the audiences to show: the selected ones, and those of `fail_on`.
    pub(super) fn shown(&self) -> impl Iterator<Item = Audience> + '_ {
        Audience::ALL.into_iter().filter(|audience| {
            let fails = self
                .fail_on
                .iter()
                .any(|threshold| threshold.audience == *audience);
            fails || self.audiences.contains(audience)
        })
    }

    /// Returns `fail_on` as the command line has it, or `None` if nothing fails.
    pub(super) fn thresholds(&self) -> Option<String> {
        let all: Vec<String> = self.fail_on.iter().map(Threshold::to_string).collect();
        (!all.is_empty()).then(|| all.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::Threshold;

    #[test]
    fn thresholds_are_read_and_written() {
        for good in ["wire-clients=breaking", "rust-callers=attention"] {
            let read = good.parse::<Threshold>();
            assert_eq!(read.map(|read| read.to_string()), Ok(good.to_owned()));
        }
        for bad in [
            "",
            "clients=breaking",
            "wire-clients",
            "wire-clients=safe",
            "wire-clients=breaking=x",
        ] {
            assert!(bad.parse::<Threshold>().is_err(), "{bad}");
        }
    }
}
