//! Swagger 2.0: what it says in its own way, said in the way of OpenAPI 3.

use super::context::Context;
use super::security::{read_api_key, read_flow, read_kind, unusable};
use super::{Rules, Siblings, Version};
use crate::model::{SecurityKind, Server};
use crate::resolve::Node;

mod body;
mod parameter;

pub(super) use body::read_response_content;
pub(super) use parameter::{belongs_to_holder, read_headers, read_parameters_and_body};

pub(super) const RULES: Rules = Rules {
    version: Version::Swagger2,
    methods: &["get", "put", "post", "delete", "options", "head", "patch"],
    siblings: Siblings::Annotate,
    schemas: &["definitions"],
    responses: &["responses"],
    security_schemes: &["securityDefinitions"],
};

/// `schemes`, `host` and `basePath` as servers.
pub(super) fn read_servers<'t>(context: &mut Context<'t, '_>, root: &Node<'t>) -> Vec<Server> {
    let schemes = context.texts(root, "schemes");
    servers(context, root, &schemes)
}

/// An operation may have `schemes` of its own.
pub(super) fn read_operation_servers<'t>(
    context: &mut Context<'t, '_>,
    operation: &Node<'t>,
) -> Vec<Server> {
    let schemes = context.texts(operation, "schemes");
    if schemes.is_empty() {
        return vec![];
    }
    let root = context.resolver.root();
    servers(context, &root, &schemes)
}

fn servers<'t>(context: &mut Context<'t, '_>, root: &Node<'t>, schemes: &[String]) -> Vec<Server> {
    let base = context.text(root, "basePath").unwrap_or_default();
    let server = |url: String| Server {
        url,
        name: None,
        description: None,
        variables: vec![],
    };
    let Some(host) = context.text(root, "host") else {
        // Without a host the API is where the document was found.
        return if base.is_empty() {
            vec![]
        } else {
            vec![server(base)]
        };
    };
    if schemes.is_empty() {
        return vec![server(format!("https://{host}{base}"))];
    }
    schemes
        .iter()
        .map(|scheme| server(format!("{scheme}://{host}{base}")))
        .collect()
}

/// One entry of `securityDefinitions`.
pub(super) fn read_security_kind<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
) -> Option<SecurityKind> {
    let Some(kind) = context.child(node, "type") else {
        return unusable(context, node, "it has no `type`");
    };
    // The last two are of OpenAPI 3.
    match context.word(&kind, &["basic", "apiKey", "oauth2", "http", "bearer"]) {
        Some("basic") => Some(SecurityKind::Basic),
        Some("apiKey") => read_api_key(context, node),
        Some("oauth2") => Some(read_oauth2(context, node)),
        Some("http" | "bearer") => read_kind(context, node),
        _ => unusable(
            context,
            &kind,
            "its `type` is none of `basic`, `apiKey` and `oauth2`",
        ),
    }
}

/// One flow, under the name it has since OpenAPI 3.0. A token is shown in the same way whatever the
/// flow, so one that is not known hurts nobody.
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
