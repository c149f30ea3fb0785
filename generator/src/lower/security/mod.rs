//! Security schemes, and the security requirements of operations.

pub(super) mod elsewhere;
pub(super) mod security_by_body;
pub(super) mod tokens;

use indexmap::IndexSet;

use crate::diagnostic::codes;
use crate::ir::{Api, Doc, Name, Requirement, Scheme, SchemeKind};
use crate::model::{Location, Operation, SecurityKind, SecurityRequirement};
use crate::position::Origin;

use crate::lower::Document;

/// Returns the security requirements of an operation: alternatives of combinations.
pub(in crate::lower) fn requirements(
    document: &mut Document<'_>,
    operation: &Operation,
) -> Vec<Vec<Requirement>> {
    let mut alternatives = Vec::new();
    let stated = operation.security.iter().flatten();
    for (alternative, at) in stated.zip(&operation.security_at) {
        let mut needed = Vec::with_capacity(alternative.len());
        for (scheme, scopes) in alternative {
            if !is_declared(document, scheme) {
                report_undeclared(document, operation, &at.child(scheme), scheme);
            }
            // An unknown scheme is still required: otherwise the operation would be accessible
            // without credentials.
            needed.push(Requirement {
                scheme: scheme.clone(),
                scopes: scopes.clone(),
            });
        }
        if !alternatives.contains(&needed) {
            alternatives.push(needed);
        }
    }
    // A single anonymous alternative is equivalent to no requirements.
    if alternatives.iter().all(Vec::is_empty) {
        alternatives.clear();
    }
    alternatives
}

/// Reports a scheme that is not declared, once for each `security` that names it.
fn report_undeclared(
    document: &mut Document<'_>,
    operation: &Operation,
    at: &Origin,
    scheme: &str,
) {
    let is_closed = |alternative: &SecurityRequirement| {
        alternative
            .iter()
            .any(|(scheme, _)| !is_declared(document, scheme))
    };
    let is_closed = operation.security.iter().flatten().all(is_closed);
    let report = document.diagnostics.report(
        codes::UNKNOWN_SECURITY_SCHEME,
        at,
        format!("undeclared security scheme `{scheme}`"),
    );
    report.help("declare it under the security schemes, or correct the name");
    if is_closed {
        report.note(
            "every request to these operations is rejected: the place of the credentials is unknown",
        );
    }
}

fn is_declared(document: &Document<'_>, scheme: &str) -> bool {
    let declared = &document.model.security_schemes;
    declared.iter().any(|(name, _)| name == scheme)
}

/// Returns the schemes that any operation requires: the declared ones in document order, and then
/// the others.
pub(in crate::lower) fn schemes(document: &mut Document<'_>, api: &Api) -> Vec<Scheme> {
    let flows = tokens::flows(document);
    let document = &*document;
    let alternatives = api.operations.iter().flat_map(|op| op.security.iter());
    let used: IndexSet<&str> = alternatives
        .flatten()
        .map(|requirement| requirement.scheme.as_str())
        .collect();
    let declared = document.model.security_schemes.iter();
    let declared = declared.filter(|(name, _)| used.contains(name.as_str()));
    let declared = declared.map(|(name, scheme)| Scheme {
        name: Name::new(name.clone()),
        kind: kind(&scheme.kind),
        doc: Doc {
            text: scheme.description.clone(),
            pointer: scheme.origin.pointer.readable().map(str::to_owned),
            deprecated: scheme.deprecated,
            ..Doc::default()
        },
        token: flows.get(name).cloned(),
    });
    let others = used.iter().filter(|name| !is_declared(document, name));
    let others = others.map(|name| Scheme {
        name: Name::new(*name),
        kind: SchemeKind::Transport,
        doc: Doc {
            text: Some("Not declared by the document: the transport has to show it.".to_owned()),
            ..Doc::default()
        },
        token: None,
    });
    declared.chain(others).collect()
}

fn kind(kind: &SecurityKind) -> SchemeKind {
    match kind {
        SecurityKind::Basic => SchemeKind::Basic,
        SecurityKind::Bearer(_) | SecurityKind::OAuth2(_) | SecurityKind::OpenIdConnect(_) => {
            SchemeKind::Bearer
        }
        SecurityKind::Http(scheme) => SchemeKind::Http(scheme.clone()),
        SecurityKind::ApiKey(Location::Query, name) => SchemeKind::Query(name.clone()),
        SecurityKind::ApiKey(Location::Cookie, name) => SchemeKind::Cookie(name.clone()),
        SecurityKind::ApiKey(_, name) => SchemeKind::Header(name.clone()),
        SecurityKind::MutualTls => SchemeKind::Transport,
    }
}
