//! What is found out about a call on its way: its client, its checks, and the faults that hit it.

use crate::model::{Check, Project};
use crate::store::Stored;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The findings about a call, in the extensions of its request. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace(Arc<Mutex<Findings>>);

/// The findings about a call.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The project, once the client has shown one of its secrets.
    pub(super) project: Option<Arc<Stored<Project>>>,
    /// The client.
    pub(super) client_id: Option<String>,
    /// The hashes of secrets that are not logged.
    pub(super) hidden: Vec<String>,
    /// The checks so far.
    pub(super) checks: Vec<Check>,
    /// The fault that is injected.
    pub(super) fault: Option<String>,
    /// Whether the faults of the project were considered.
    pub(super) is_considered: bool,
    /// How long the response is held back.
    pub(super) latency: Duration,
    /// Whether the response ends in the middle of its body.
    pub(super) is_truncated: bool,
}

impl Trace {
    /// Returns the findings.
    pub(super) fn findings(&self) -> MutexGuard<'_, Findings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the trace of a request. A request that no capture has seen gets one that is dropped.
    pub(super) fn from_extensions(extensions: &http::Extensions) -> Self {
        extensions.get().cloned().unwrap_or_default()
    }

    /// Adds a check that the request has passed.
    pub(super) fn pass(&self, name: &'static str, reason: impl Into<Cow<'static, str>>) {
        self.add(name, true, reason.into());
    }

    /// Adds the check that rejects the request.
    pub(super) fn fail(&self, name: &'static str, reason: impl Into<Cow<'static, str>>) {
        self.add(name, false, reason.into());
    }

    fn add(&self, name: &'static str, passed: bool, reason: Cow<'static, str>) {
        self.findings().checks.push(Check {
            name: name.into(),
            passed,
            reason,
        });
    }

    /// Begins the checks anew, because other credentials of the request are tried.
    pub(super) fn restart(&self) {
        self.findings().checks.clear();
    }

    /// Keeps the secret with this hash out of the log, wherever the request has it.
    pub(super) fn hide(&self, hash: &str) {
        self.findings().hidden.push(hash.to_owned());
    }

    /// Attributes the call to a client that has shown a secret or a token: the logs of projects are not
    /// for strangers.
    pub(super) fn attribute(&self, project: &Arc<Stored<Project>>, client_id: &str) {
        let mut findings = self.findings();
        findings.project = Some(Arc::clone(project));
        findings.client_id = Some(client_id.to_owned());
    }
}
