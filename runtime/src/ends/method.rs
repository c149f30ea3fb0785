//! Methods of requests in spans and in metrics.

use http::Method;

/// Returns a standard HTTP method. Any other method is replaced, because callers can invent any
/// number of them.
pub(super) fn known(method: &Method) -> &'static str {
    const KNOWN: [&str; 10] = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY",
    ];
    let known = KNOWN.into_iter().find(|known| *known == method.as_str());
    known.unwrap_or("_OTHER")
}
