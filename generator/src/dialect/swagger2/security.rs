//! `securityDefinitions` of Swagger 2.0.

use super::super::context::Context;
use super::super::scheme::{read_api_key, read_flow, read_kind, unusable};
use crate::model::SecurityKind;
use crate::resolve::Node;

/// Reads an entry of `securityDefinitions`.
pub(in super::super) fn read_security_kind<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
) -> Option<SecurityKind> {
    let Some(kind) = context.child(node, "type") else {
        return unusable(context, node, "missing `type`");
    };
    // The last two are kinds of OpenAPI 3.
    match context.word(&kind, &["basic", "apiKey", "oauth2", "http", "bearer"]) {
        Some("basic") => Some(SecurityKind::Basic),
        Some("apiKey") => read_api_key(context, node),
        Some("oauth2") => Some(read_oauth2(context, node)),
        Some("http" | "bearer") => read_kind(context, node),
        _ => unusable(
            context,
            &kind,
            "`type` is not one of `basic`, `apiKey` and `oauth2`",
        ),
    }
}

/// Reads a flow, with its name in OpenAPI 3.0. All flows send a token in the same way, so an
/// unknown flow is accepted.
fn read_oauth2<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> SecurityKind {
    let Some(flow) = context.child(node, "flow") else {
        return SecurityKind::OAuth2(vec![]);
    };
    let known = ["implicit", "password", "application", "accessCode"];
    let name = match context.word(&flow, &known) {
        Some("application") => "clientCredentials",
        Some("accessCode") => "authorizationCode",
        Some(name) => name,
        None => {
            context.ignored(
                &flow,
                "`implicit`, `password`, `application` or `accessCode`",
            );
            return SecurityKind::OAuth2(vec![]);
        }
    };
    SecurityKind::OAuth2(vec![read_flow(context, name, node)])
}
