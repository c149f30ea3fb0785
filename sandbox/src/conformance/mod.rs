//! The conformance report: what the observed behaviour of a project's client says about it.
//!
//! Every rule is a row of `rules::RULES`. A rule looks at the [`History`] of a project and collects
//! observations that keep or break it. Without such an observation, the verdict is
//! [`Verdict::NotShown`].

mod history;
mod probe;
mod rules;
#[cfg(test)]
mod samples;
mod unknown;

pub use history::History;
pub use probe::{Probe, ProbeMessage, ProbeSignature, probe};

use crate::app::App;
use crate::model::{Millis, Project};
use crate::store::StorageError;
use serde::{Deserialize, Serialize};

/// The maximum number of observations that a finding shows.
const EVIDENCE: usize = 10;

/// What the observations say about a client, rule by rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The project.
    pub project: String,
    /// The time of the report, by the system clock.
    pub at: Millis,
    /// The number of calls that were looked at.
    pub calls: u32,
    /// The number of requests with webhooks that were looked at.
    pub webhooks: u32,
    /// The verdicts, in the order of the rules.
    pub findings: Vec<Finding>,
    /// Fields and headers that the client sent and that the interface does not know. They are
    /// accepted.
    pub unknown: Vec<String>,
}

impl Report {
    /// Returns `true` if no rule is violated.
    pub fn conforms(&self) -> bool {
        self.findings
            .iter()
            .all(|finding| finding.verdict != Verdict::Violated)
    }

    /// Returns the finding of a rule.
    pub fn finding(&self, rule: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.rule == rule)
    }
}

/// The verdict on a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The name of the rule, such as `token-cached`.
    pub rule: String,
    /// The rule in a sentence.
    pub title: String,
    /// Whether the client keeps the rule.
    pub verdict: Verdict,
    /// Why the verdict is as it is.
    pub explanation: String,
    /// The observations.
    pub evidence: Vec<Evidence>,
}

/// Whether a client keeps a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The client keeps the rule.
    Ok,
    /// The client breaks the rule.
    Violated,
    /// The observations do not decide.
    NotShown,
}

impl Verdict {
    /// Returns the word in the report.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Violated => "violated",
            Self::NotShown => "not-shown",
        }
    }
}

/// An observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The observation in a sentence.
    pub text: String,
    /// The id of the call.
    pub call: Option<String>,
    /// The id of the request with a webhook.
    pub webhook: Option<String>,
}

/// Returns the conformance report of a project, over the calls and webhooks that its log still
/// contains.
///
/// # Errors
/// Returns an error of the database.
pub async fn report(app: &App, project: &Project) -> Result<Report, StorageError> {
    let history = History::read(&app.store, &project.id, App::system_now()).await?;
    Ok(judge(&project.id, &history))
}

/// Applies all rules to a history.
fn judge(project: &str, history: &History) -> Report {
    Report {
        project: project.to_owned(),
        at: history.now,
        calls: u32::try_from(history.calls.len()).unwrap_or(u32::MAX),
        webhooks: u32::try_from(history.webhooks.len()).unwrap_or(u32::MAX),
        findings: rules::RULES
            .iter()
            .map(|rule| rule.judge(history))
            .collect(),
        unknown: unknown::list(&history.calls),
    }
}
