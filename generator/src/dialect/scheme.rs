//! Kinds of security schemes.

use super::context::Context;
use super::extension::is_extension;
use super::spelling;
use crate::diagnostic::codes;
use crate::model::{Location, OAuthFlow, SecurityKind};
use crate::resolve::Node;
use crate::source::Value;

/// Reads the kind of a scheme of OpenAPI 3.
pub(super) fn read_kind<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
) -> Option<SecurityKind> {
    let Some(kind) = context.child(node, "type") else {
        return unusable(context, node, "missing `type`");
    };
    // The last two are `http` schemes, in the notation of Swagger 2.0.
    let known = [
        "http",
        "apiKey",
        "oauth2",
        "openIdConnect",
        "mutualTLS",
        "basic",
        "bearer",
    ];
    match context.word(&kind, &known) {
        Some("http") => read_http(context, node),
        Some("apiKey") => read_api_key(context, node),
        Some("oauth2") => Some(SecurityKind::OAuth2(read_flows(context, node))),
        Some("openIdConnect") => {
            let url = context.text(node, "openIdConnectUrl").unwrap_or_default();
            Some(SecurityKind::OpenIdConnect(url))
        }
        Some("mutualTLS") => Some(SecurityKind::MutualTls),
        Some(word @ ("basic" | "bearer")) => {
            context.meant(&kind, &format!("`http` with the scheme `{word}`"));
            Some(if word == "basic" {
                SecurityKind::Basic
            } else {
                SecurityKind::Bearer(context.text(node, "bearerFormat"))
            })
        }
        _ => unusable(
            context,
            &kind,
            "`type` is not one of `http`, `apiKey`, `oauth2`, `openIdConnect` and `mutualTLS`",
        ),
    }
}

/// Reports that a scheme does not define how its credential is sent. Operations still require the
/// scheme, as in the case of an undeclared scheme.
pub(super) fn unusable<'t, T>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    why: &str,
) -> Option<T> {
    let message = format!("unusable security scheme: {why}");
    context.report(codes::IGNORED, &node.origin(), message);
    None
}

fn read_http<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Option<SecurityKind> {
    let Some(scheme) = context.text(node, "scheme") else {
        return unusable(context, node, "missing `scheme`");
    };
    // The names of HTTP authentication schemes are case-insensitive.
    Some(match scheme.to_ascii_lowercase().as_str() {
        "basic" => SecurityKind::Basic,
        "bearer" => SecurityKind::Bearer(context.text(node, "bearerFormat")),
        _ => SecurityKind::Http(scheme),
    })
}

/// Reads an API key, which has the same form in all dialects.
pub(super) fn read_api_key<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
) -> Option<SecurityKind> {
    let Some(name) = context.text(node, "name") else {
        return unusable(context, node, "missing `name`");
    };
    let Some(place) = context.child(node, "in") else {
        return unusable(context, node, "missing `in`");
    };
    let location = match context.word(&place, &["header", "query", "cookie"]) {
        Some("header") => Location::Header,
        Some("query") => Location::Query,
        Some("cookie") => Location::Cookie,
        _ => {
            return unusable(
                context,
                &place,
                "`in` is not one of `header`, `query` and `cookie`",
            );
        }
    };
    Some(SecurityKind::ApiKey(location, name))
}

fn read_flows<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Vec<OAuthFlow> {
    let mut flows = Vec::new();
    if let Some(all) = context.object(node, "flows") {
        context.check_keys(&all, spelling::FLOWS);
    }
    for (name, flow) in context.entries(node, "flows") {
        if is_extension(name) {
            continue;
        }
        let Some(flow) = context.as_object(&flow) else {
            continue;
        };
        context.check_keys(&flow, spelling::FLOW);
        flows.push(read_flow(context, name, &flow));
    }
    flows
}

/// Reads a flow, whose fields have the same names in all dialects.
pub(super) fn read_flow<'t>(
    context: &mut Context<'t, '_>,
    name: &str,
    node: &Node<'t>,
) -> OAuthFlow {
    let scopes = context.entries(node, "scopes");
    OAuthFlow {
        name: name.to_owned(),
        authorization_url: context.text(node, "authorizationUrl"),
        token_url: context.text(node, "tokenUrl"),
        refresh_url: context.text(node, "refreshUrl"),
        device_authorization_url: context.text(node, "deviceAuthorizationUrl"),
        scopes: scopes
            .filter(|(_, node)| matches!(node.value, Value::Null | Value::String(_)))
            .map(|(scope, node)| {
                (
                    scope.to_owned(),
                    node.value.scalar_text().unwrap_or_default(),
                )
            })
            .collect(),
    }
}
