//! Histograms of the durations of calls and of requests, by OpenTelemetry's semantic conventions for
//! HTTP metrics, through the crate `metrics`.
//!
//! The values of labels are those of the document, standard methods, statuses and kinds of errors: a
//! caller cannot invent any.

use crate::message::OperationMeta;
use http::StatusCode;
use metrics::{Label, Unit, describe_histogram, histogram};
use std::sync::Once;
use std::time::Instant;

#[cfg(feature = "client")]
const CLIENT: &str = "http.client.request.duration";
#[cfg(feature = "server")]
const SERVER: &str = "http.server.request.duration";

/// When a request began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Begun(Instant);

impl Begun {
    pub(crate) fn now() -> Self {
        Self(Instant::now())
    }

    /// Records a request of a client, and the status of its response or the kind of its failure.
    #[cfg(feature = "client")]
    pub(crate) fn called(
        self,
        meta: &'static OperationMeta,
        result: Result<StatusCode, &'static str>,
    ) {
        let mut labels = vec![
            Label::from_static_parts("http.request.method", meta.method),
            Label::from_static_parts("url.template", meta.path),
        ];
        match result {
            Ok(status) => add_status(&mut labels, status, status.is_client_error()),
            Err(kind) => labels.push(Label::from_static_parts("error.type", kind)),
        }
        static DESCRIBED: Once = Once::new();
        let text = "Duration of HTTP client requests.";
        DESCRIBED.call_once(|| describe_histogram!(CLIENT, Unit::Seconds, text));
        self.record(CLIENT, labels);
    }

    /// Records a request of a server. A request that reached no operation has no route.
    #[cfg(feature = "server")]
    pub(crate) fn answered(
        self,
        method: &'static str,
        meta: Option<&'static OperationMeta>,
        status: StatusCode,
    ) {
        let mut labels = vec![Label::from_static_parts("http.request.method", method)];
        if let Some(meta) = meta {
            labels.push(Label::from_static_parts("http.route", meta.path));
        }
        add_status(&mut labels, status, false);
        static DESCRIBED: Once = Once::new();
        let text = "Duration of HTTP server requests.";
        DESCRIBED.call_once(|| describe_histogram!(SERVER, Unit::Seconds, text));
        self.record(SERVER, labels);
    }

    fn record(self, name: &'static str, labels: Vec<Label>) {
        histogram!(name, labels).record(self.0.elapsed().as_secs_f64());
    }
}

/// Adds the status. One of a failed server is an error, and for a client so is that of a rejected
/// request.
fn add_status(labels: &mut Vec<Label>, status: StatusCode, is_error: bool) {
    let text = status.as_str().to_owned();
    if status.is_server_error() || is_error {
        labels.push(Label::new("error.type", text.clone()));
    }
    labels.push(Label::new("http.response.status_code", text));
}
