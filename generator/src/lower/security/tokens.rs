//! Token endpoints for clients: the flow `clientCredentials`, and `x-bothends-token`.

use std::collections::BTreeMap;

use crate::diagnostic::codes;
use crate::ir::{ClientAuthentication, TokenFlow};
use crate::model::{Location, Model, SecurityKind, SecurityScheme};
use crate::source::Value;

use crate::lower::Document;

/// Returns the token flows of schemes, by the name of the scheme.
pub(in crate::lower) fn flows(document: &mut Document<'_>) -> BTreeMap<String, TokenFlow> {
    let model = &document.model;
    let mut flows = BTreeMap::new();
    for (name, scheme) in &model.security_schemes {
        let Some((url, refresh_url)) = token_urls(scheme) else {
            continue;
        };
        let mut flow = TokenFlow {
            url,
            refresh_url,
            envelope: String::new(),
            authentication: None,
            non_refreshable_codes: None,
        };
        if let Some((_, stated)) =
            (scheme.extensions.iter()).find(|(key, _)| key == "x-bothends-token")
            && let Err(reason) = state(&mut flow, model, stated)
        {
            document
                .diagnostics
                .report(
                    codes::TOKEN,
                    &scheme.origin.child("x-bothends-token"),
                    reason,
                )
                .help("the page `reference/extensions` of the guide lists the keys of `x-bothends-token` and their values");
        }
        flows.insert(name.clone(), flow);
    }
    flows
}

/// Returns the `tokenUrl` of the flow with client credentials, if a client can use it, and its
/// `refreshUrl`.
fn token_urls(scheme: &SecurityScheme) -> Option<(String, Option<String>)> {
    let SecurityKind::OAuth2(flows) = &scheme.kind else {
        return None;
    };
    let flow = flows.iter().find(|flow| flow.name == "clientCredentials")?;
    let url = flow.token_url.clone().filter(|url| !url.is_empty())?;
    let refresh = flow.refresh_url.clone();
    let refresh = refresh.filter(|other| !other.is_empty() && *other != url);
    Some((url, refresh))
}

fn state(flow: &mut TokenFlow, model: &Model, stated: &Value) -> Result<(), String> {
    let Value::Object(stated) = stated else {
        return Err("expected an object for `x-bothends-token`".to_owned());
    };
    let text = |key: &str| match stated.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("expected a string for `{key}`")),
    };
    let pointer = |key: &str| match text(key)? {
        Some(pointer) if !pointer.is_empty() && !pointer.starts_with('/') => {
            Err(format!("expected a JSON pointer for `{key}`"))
        }
        pointer => Ok(pointer),
    };
    flow.envelope = pointer("envelope")?.unwrap_or_default();
    let authentication = |key: &str| match text(key)? {
        Some(name) => authentication(model, &name).map(Some),
        None => Ok(None),
    };
    flow.authentication = match (authentication("obtain")?, authentication("refresh")?) {
        (None, None) => None,
        (Some(obtain), refresh) => Some((obtain.clone(), refresh.unwrap_or(obtain))),
        (None, Some(_)) => return Err("`refresh` is given without `obtain`".to_owned()),
    };
    flow.non_refreshable_codes = match (pointer("code")?, stated.get("non-refreshable-codes")) {
        (None, None) => None,
        (Some(code), Some(Value::Array(codes))) => {
            let codes = codes.iter().map(|code| match code {
                Value::String(code) => Ok(code.clone()),
                _ => Err("expected a list of strings for `non-refreshable-codes`".to_owned()),
            });
            Some((code, codes.collect::<Result<_, _>>()?))
        }
        _ => return Err("`code` and the list `non-refreshable-codes` belong together".to_owned()),
    };
    Ok(())
}

/// Returns the client authentication, by the name of its scheme.
fn authentication(model: &Model, name: &str) -> Result<ClientAuthentication, String> {
    let scheme = model.security_schemes.iter().find(|(key, _)| key == name);
    match scheme.map(|(_, scheme)| &scheme.kind) {
        Some(SecurityKind::Basic) => Ok(ClientAuthentication::Basic),
        Some(SecurityKind::ApiKey(Location::Header, header)) => {
            Ok(ClientAuthentication::IdHeader(header.clone()))
        }
        Some(_) => Err(format!(
            "the security scheme `{name}` is neither `basic` nor a header"
        )),
        None => Err(format!("unknown security scheme `{name}`")),
    }
}
