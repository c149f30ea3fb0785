//! Security schemes, and which operation needs which.

use crate::diagnostic::codes;
use crate::ir::{Api, Doc, Name, Requirement, Scheme, SchemeKind};
use crate::model::{Location, Operation, SecurityKind};

use super::Lowering;

/// What an operation needs: alternatives of combinations.
pub(super) fn requirements(
    lowering: &mut Lowering<'_>,
    operation: &Operation,
) -> Vec<Vec<Requirement>> {
    let mut alternatives = Vec::new();
    for alternative in operation.security.iter().flatten() {
        let mut needed = Vec::with_capacity(alternative.len());
        for (scheme, scopes) in alternative {
            if lowering
                .model
                .security_schemes
                .iter()
                .any(|(name, _)| name == scheme)
            {
                needed.push(Requirement {
                    scheme: scheme.clone(),
                    scopes: scopes.clone(),
                });
            } else {
                lowering
                    .diagnostics
                    .report(
                        codes::UNKNOWN_SECURITY_SCHEME,
                        &operation.origin,
                        format!("the security scheme `{scheme}` is not declared"),
                    )
                    .help("declare it under the security schemes, or correct the name");
            }
        }
        if !alternatives.contains(&needed) {
            alternatives.push(needed);
        }
    }
    // One anonymous alternative alone says the same as none at all.
    if alternatives.iter().all(Vec::is_empty) {
        alternatives.clear();
    }
    alternatives
}

/// The schemes that some operation names, in the document's order.
pub(super) fn schemes(lowering: &Lowering<'_>, api: &Api) -> Vec<Scheme> {
    let used = |name: &str| {
        api.operations
            .iter()
            .flat_map(|operation| operation.security.iter().flatten())
            .any(|requirement| requirement.scheme == name)
    };
    let schemes = lowering
        .model
        .security_schemes
        .iter()
        .filter(|(name, _)| used(name));
    schemes
        .map(|(name, scheme)| Scheme {
            name: Name::new(name.clone()),
            kind: kind(&scheme.kind),
            doc: Doc {
                text: scheme.description.clone(),
                pointer: Some(scheme.origin.pointer().to_string()),
                deprecated: scheme.deprecated,
                notes: Vec::new(),
            },
        })
        .collect()
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
        SecurityKind::MutualTls => SchemeKind::MutualTls,
    }
}
