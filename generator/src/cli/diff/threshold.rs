//! `--fail-on AUDIENCE=LEVEL`

use std::str::FromStr;

use bothends::diff::{Audience, Level, Report};

/// A level that fails the command if a change reaches it for an audience.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Threshold {
    audience: Audience,
    level: Level,
}

/// A threshold, or `none`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FailOn(Option<Threshold>);

impl FailOn {
    /// Returns whether a change reaches the threshold.
    pub(crate) fn is_reached(self, report: &Report) -> bool {
        let reached = |of: Threshold| report.reaching(of.audience, of.level).next().is_some();
        self.0.is_some_and(reached)
    }
}

impl FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(None));
        }
        let expected = || {
            let audiences = Audience::ALL.map(Audience::name).join("`, `");
            format!(
                "a threshold is AUDIENCE=LEVEL or `none`; audiences are `{audiences}`; levels are \
                 `breaking`, `attention`"
            )
        };
        let (audience, level) = text.split_once('=').ok_or_else(expected)?;
        let audience = Audience::ALL.into_iter().find(|one| one.name() == audience);
        let levels = [Level::Breaking, Level::Attention];
        let level = levels.into_iter().find(|one| one.name() == level);
        match (audience, level) {
            (Some(audience), Some(level)) => Ok(Self(Some(Threshold { audience, level }))),
            _ => Err(expected()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FailOn;

    #[test]
    fn thresholds_are_read() {
        for good in ["wire-clients=breaking", "rust-callers=attention", "none"] {
            assert!(good.parse::<FailOn>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "clients=breaking",
            "wire-clients",
            "wire-clients=safe",
            "wire-clients=breaking=x",
        ] {
            assert!(bad.parse::<FailOn>().is_err(), "{bad}");
        }
    }
}
