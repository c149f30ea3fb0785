//! The report of a contract test.

use super::Fault;
use crate::ends::client::{Body, SecretPairs};
use http::Request;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// The report of a contract test: see [`contract`](super::contract).
///
/// `Display` lists the findings, each with its requests as curl sends them, and as a test in Rust sends them.
#[derive(Debug, Clone)]
pub struct Report {
    pub(super) seed: u64,
    pub(super) operations: usize,
    pub(super) requests: usize,
    /// The requests whose credentials, if any are required, were accepted.
    pub(super) judged: usize,
    /// The links that were followed.
    pub(super) links: usize,
    pub(super) findings: Vec<Finding>,
    /// What was left out, by the operation.
    pub(super) notes: BTreeMap<&'static str, String>,
}

/// A fault of a service, and the requests that show it.
#[derive(Debug, Clone)]
pub struct Finding {
    pub(super) operation: &'static str,
    pub(super) fault: Fault,
    pub(super) requests: Vec<Sent>,
}

/// A request that was sent.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    /// What a step of a sequence is.
    label: String,
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Sent {
    pub(super) fn new(request: &Request<Body>) -> Self {
        let headers = request.headers().iter();
        let headers =
            headers.filter(|(name, _)| !matches!(name.as_str(), "user-agent" | "accept-encoding"));
        let body = request
            .body()
            .try_clone()
            .and_then(|body| body.into_bytes().ok());
        let (uri, secret) = (request.uri(), request.extensions().get::<SecretPairs>());
        Self {
            label: String::new(),
            method: request.method().to_string(),
            url: secret.map_or_else(|| uri.to_string(), |secret| secret.redact(&uri.to_string())),
            headers: headers
                .map(|(name, value)| {
                    let value = match value.is_sensitive() {
                        true => "$SECRET".into(),
                        false => String::from_utf8_lossy(value.as_bytes()),
                    };
                    (name.to_string(), value.into_owned())
                })
                .collect(),
            body: String::from_utf8_lossy(&body.unwrap_or_default()).into_owned(),
        }
    }

    pub(super) fn labelled(self, label: String) -> Self {
        Self { label, ..self }
    }

    pub(super) fn method(&self) -> &str {
        &self.method
    }

    /// Returns the request as a command.
    fn as_curl(&self) -> String {
        // A shell inserts the variable outside of single quotes only.
        let quoted = |text: &str| {
            let text = text.replace('\'', r"'\''");
            format!("'{}'", text.replace("$SECRET", r#"'"$SECRET"'"#))
        };
        let mut command = format!("curl -X {} {}", self.method, quoted(&self.url));
        for (name, value) in &self.headers {
            let _ = write!(command, " -H {}", quoted(&format!("{name}: {value}")));
        }
        if !self.body.is_empty() {
            let _ = write!(command, " --data-raw {}", quoted(&self.body));
        }
        command
    }

    /// Returns the request as an expression of Rust.
    fn as_rust(&self) -> String {
        let mut code = format!(
            "Request::builder().method({:?}).uri({:?})",
            self.method, self.url
        );
        for (name, value) in &self.headers {
            let _ = write!(code, ".header({name:?}, {value:?})");
        }
        let body = match self.body.is_empty() {
            true => "Body::empty()".to_owned(),
            false => format!("Body::from({:?})", self.body),
        };
        let _ = write!(code, ".body({body})?");
        code
    }
}

impl Finding {
    /// Returns the id of the operation in the document.
    pub const fn operation(&self) -> &'static str {
        self.operation
    }

    /// Returns the fault.
    pub const fn fault(&self) -> &Fault {
        &self.fault
    }

    /// Returns the commands that send the requests, in their order.
    pub fn as_curl(&self) -> Vec<String> {
        self.requests.iter().map(Sent::as_curl).collect()
    }

    /// Returns the requests as expressions of Rust, which a test passes to `Transport::send`.
    pub fn as_rust(&self) -> Vec<String> {
        self.requests.iter().map(Sent::as_rust).collect()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operation, self.fault)?;
        for (index, request) in self.requests.iter().enumerate() {
            if self.requests.len() > 1 {
                write!(f, "\n  {}. {}", index + 1, request.label)?;
            }
            write!(f, "\n    {}\n    {}", request.as_curl(), request.as_rust())?;
        }
        Ok(())
    }
}

impl Report {
    /// Returns the findings, each fault once for each operation.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns whether at least one operation was tested: it was called, and has not refused the credentials.
    pub fn has_tested(&self) -> bool {
        self.requests > 0 && (self.notes.len() < self.operations || !self.findings.is_empty())
    }

    /// Returns the number of requests that were sent, those for smaller requests included.
    pub const fn requests(&self) -> usize {
        self.requests
    }

    /// Returns the seed by which the requests were drawn.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Ends the test with the report if there are findings, or if nothing was tested.
    ///
    /// # Panics
    ///
    /// Panics if there are findings, if no request was sent, or if the credentials of all requests were refused.
    #[expect(clippy::panic, reason = "the assertion of a test")]
    #[track_caller]
    pub fn assert(&self) {
        if !self.findings.is_empty() || self.judged == 0 {
            panic!("{self}");
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (findings, requests) = (self.findings.len(), self.requests);
        write!(
            f,
            "{findings} findings in {requests} requests to {} operations, ",
            self.operations
        )?;
        if self.links > 0 {
            write!(f, "along {} links, ", self.links)?;
        }
        writeln!(f, "with the seed {}", self.seed)?;
        if self.judged == 0 {
            writeln!(
                f,
                "nothing was tested: no request was sent, or the credentials of all were refused"
            )?;
        }
        for (operation, note) in &self.notes {
            writeln!(f, "note: {operation}: {note}")?;
        }
        for finding in &self.findings {
            writeln!(f, "\n{finding}")?;
        }
        Ok(())
    }
}
