//! Security schemes.

use super::bundle::Bundle;
use super::shared::Put as _;
use super::{Json, Map};
use crate::model::{Location, OAuthFlow, SecurityKind, SecurityScheme};

impl Bundle<'_> {
    /// Returns the schemes that OpenAPI 3.0 has, and the other schemes.
    pub(super) fn security_schemes(&self) -> (Map, Map) {
        let (mut known, mut unknown) = (Map::new(), Map::new());
        for (name, scheme) in &self.model.security_schemes {
            let is_known = !matches!(scheme.kind, SecurityKind::MutualTls);
            let schemes = if is_known { &mut known } else { &mut unknown };
            schemes.put(name, security_scheme(scheme));
        }
        (known, unknown)
    }
}

fn security_scheme(scheme: &SecurityScheme) -> Json {
    let mut object = Map::new();
    match &scheme.kind {
        SecurityKind::Basic => put_http(&mut object, "basic"),
        SecurityKind::Bearer(format) => {
            put_http(&mut object, "bearer");
            object.put_text("bearerFormat", format.as_ref());
        }
        SecurityKind::Http(name) => put_http(&mut object, name),
        SecurityKind::ApiKey(location, name) => {
            object.put("type", "apiKey");
            object.put(
                "in",
                match location {
                    Location::Query => "query",
                    Location::Cookie => "cookie",
                    _ => "header",
                },
            );
            object.put("name", name.as_str());
        }
        SecurityKind::OAuth2(flows) => {
            object.put("type", "oauth2");
            object.put("flows", flows.iter().map(flow).collect::<Map>());
        }
        SecurityKind::OpenIdConnect(url) => {
            object.put("type", "openIdConnect");
            object.put("openIdConnectUrl", url.as_str());
        }
        SecurityKind::MutualTls => object.put("type", "mutualTLS"),
    }
    object.put_text("description", scheme.description.as_ref());
    object.put_flag("x-deprecated", scheme.deprecated);
    object.put_extensions(&scheme.extensions);
    object.into()
}

fn put_http(object: &mut Map, scheme: &str) {
    object.put("type", "http");
    object.put("scheme", scheme);
}

fn flow(flow: &OAuthFlow) -> (String, Json) {
    let mut object = Map::new();
    let has_authorization = matches!(flow.name.as_str(), "implicit" | "authorizationCode");
    let has_token = flow.name != "implicit";
    if has_authorization || flow.authorization_url.is_some() {
        object.put(
            "authorizationUrl",
            flow.authorization_url.clone().unwrap_or_default(),
        );
    }
    if has_token || flow.token_url.is_some() {
        object.put("tokenUrl", flow.token_url.clone().unwrap_or_default());
    }
    object.put_text("refreshUrl", flow.refresh_url.as_ref());
    object.put_text(
        "deviceAuthorizationUrl",
        flow.device_authorization_url.as_ref(),
    );
    let scopes = flow
        .scopes
        .iter()
        .map(|(name, text)| (name.clone(), text.as_str().into()));
    object.put("scopes", scopes.collect::<Map>());
    let known = [
        "implicit",
        "password",
        "clientCredentials",
        "authorizationCode",
    ];
    let name = &flow.name;
    let name = if known.contains(&name.as_str()) {
        name.clone()
    } else {
        format!("x-{name}")
    };
    (name, object.into())
}
