//! Warnings for documents that direct credentials to hosts other than their own.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostics, codes};
use crate::model::{Model, Operation, SecurityKind};
use crate::position::Origin;

use crate::lower::server::servers::with_defaults;

/// Warns of operation servers and token endpoints whose host differs from that of the document's
/// first server, once for each host.
pub(in crate::lower) fn check(model: &Model, diagnostics: &mut Diagnostics) {
    let Some(own) = model.servers.first().map(with_defaults) else {
        return;
    };
    let Some(own) = host(&own) else {
        return;
    };
    let mut seen = BTreeSet::new();
    let servers = model
        .operations
        .iter()
        .filter(|operation| shows_credentials(operation));
    let servers =
        servers.filter_map(|server| Some((with_defaults(server.servers.first()?), &server.origin)));
    let tokens = model.security_schemes.iter().filter_map(|(_, scheme)| {
        let SecurityKind::OAuth2(flows) = &scheme.kind else {
            return None;
        };
        let flow = flows.iter().find(|flow| flow.name == "clientCredentials")?;
        Some((flow.token_url.clone()?, &scheme.origin))
    });
    for (what, url, origin) in (servers.map(|(url, origin)| (SERVER, url, origin)))
        .chain(tokens.map(|(url, origin)| (TOKEN, url, origin)))
    {
        let Some(other) = host(&url).filter(|other| *other != own) else {
            continue;
        };
        if seen.insert(other.clone()) {
            report(diagnostics, origin, what, &other, &own);
        }
    }
}

const SERVER: &str = "the operation sends its credentials";
const TOKEN: &str = "the client's id and secret are sent";

fn report(diagnostics: &mut Diagnostics, origin: &Origin, what: &str, other: &str, own: &str) {
    diagnostics
        .report(
            codes::CREDENTIALS_ELSEWHERE,
            origin,
            format!("{what} to `{other}`, and the document's server is `{own}`"),
        )
        .help("clients refuse that until `ClientCore::trust_origin` names the other server");
}

/// Returns whether requests of an operation contain credentials, or may contain them.
fn shows_credentials(operation: &Operation) -> bool {
    let security = operation.security.as_deref().unwrap_or_default();
    security.iter().any(|schemes| !schemes.is_empty())
}

/// Returns the host and the port of an absolute URL, or of a URL without a scheme.
fn host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("//")?;
    let host = rest.split(['/', '?', '#']).next()?;
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}
