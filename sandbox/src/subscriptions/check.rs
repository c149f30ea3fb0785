//! The rules of subscriptions.

use super::Subscription;
use crate::app::App;
use crate::catalogue::is_available;
use crate::config::destinations;
use crate::model::{Product, Project, SigningVariant};
use crate::request_error::RequestError;
use bothends_delivery::{
    Destinations, InvalidSubscription, Signing, SigningToken, Subscription as Copy,
};
use financial_data::webhooks::SUBSCRIPTION;
use std::net::IpAddr;
use std::time::Duration;
use url::{Host, Url};

/// How long a name may take to be resolved.
const RESOLVING: Duration = Duration::from_secs(3);
/// The longest URL and the most headers, so that a subscription remains small.
const LONGEST_URL: usize = 2_000;
const MOST_HEADERS: usize = 50;

/// Checks a requested subscription against the document, including whether its URLs are publicly
/// reachable or explicitly allowed.
pub(super) async fn request(
    app: &App,
    project: &Project,
    subscription: &Subscription,
) -> Result<(), RequestError> {
    if subscription.headers.len() > MOST_HEADERS {
        let message = format!("a subscription has at most {MOST_HEADERS} headers");
        return Err(RequestError::invalid("headers", message));
    }
    // With all kinds, the rules themselves report an event of another product.
    let kinds = |kind: &str| !kind.is_empty();
    build(subscription, project, kinds)?;
    let allowed = destinations(app.config.webhook_destinations.unwrap_or_default());
    for url in subscription.url.iter().chain(subscription.urls.values()) {
        if url.len() > LONGEST_URL {
            let message = format!("a URL has at most {LONGEST_URL} bytes");
            return Err(RequestError::invalid("url", message));
        }
        reachable(url, &allowed).await?;
    }
    Ok(())
}

/// Returns the copy for the delivery store, with the kinds that are available to the project. `None`
/// if it has none of the selected kinds.
pub(super) fn available(
    subscription: &Subscription,
    project: &Project,
) -> Result<Option<Copy>, RequestError> {
    let available = |kind: &str| is_available(kind, project);
    let selects = subscription.events.iter().chain(subscription.urls.keys());
    let all = subscription.events.is_empty() && subscription.url.is_some();
    if !all && !selects.into_iter().any(|kind| available(kind)) {
        return Ok(None);
    }
    Ok(Some(build(subscription, project, available)?))
}

fn build(
    subscription: &Subscription,
    project: &Project,
    keep: impl Fn(&str) -> bool,
) -> Result<Copy, InvalidSubscription> {
    let mut builder = Copy::builder(&subscription.id)
        .owner(&subscription.project)
        .active(subscription.active)
        .events(
            subscription
                .events
                .iter()
                .filter(|kind| keep(kind))
                .cloned(),
        );
    if let Some(url) = &subscription.url {
        builder = builder.url(url);
    }
    for (kind, url) in subscription.urls.iter().filter(|(kind, _)| keep(kind)) {
        builder = builder.url_for(kind, url);
    }
    for (name, value) in &subscription.headers {
        builder = builder.header(name, value);
    }
    let token = subscription.signing_token.as_deref();
    let token = token
        .map(|token| SigningToken::longer_than(token, 0))
        .transpose()?;
    // The length is checked even where the token does not sign: it will, after a change of variant.
    let checked = builder.clone().rules(SUBSCRIPTION);
    let products = project.products.iter().copied().map(Product::as_str);
    if let Some(token) = token.clone() {
        checked
            .clone()
            .token(token)
            .products(products.clone())
            .build()?;
    }
    let signing = match (project.settings.signing, token) {
        (SigningVariant::Key, _) => Signing::Key,
        (SigningVariant::Token, Some(token)) => Signing::Token(token),
        (SigningVariant::Token, None) => Signing::None,
    };
    checked.signing(signing).products(products).build()
}

/// Checks that a URL leads to an allowed address. A name that cannot be resolved now may be
/// resolved later; each request checks its address anyway.
async fn reachable(text: &str, allowed: &Destinations) -> Result<(), RequestError> {
    let url = Url::parse(text).map_err(|error| RequestError::invalid("url", error.to_string()))?;
    let addresses: Vec<IpAddr> = match url.host() {
        Some(Host::Ipv4(address)) => vec![address.into()],
        Some(Host::Ipv6(address)) => vec![address.into()],
        // This name never leaves the machine (RFC 6761, section 6.3).
        Some(Host::Domain(name)) if is_localhost(name) => vec![[127, 0, 0, 1].into()],
        Some(Host::Domain(name)) => {
            let port = url.port_or_known_default().unwrap_or_default();
            let resolving = tokio::net::lookup_host((name, port));
            match tokio::time::timeout(RESOLVING, resolving).await {
                Ok(Ok(addresses)) => addresses.map(|address| address.ip()).collect(),
                _ => Vec::new(),
            }
        }
        None => Vec::new(),
    };
    if !addresses.is_empty() && !addresses.iter().any(|address| allowed.permits(*address)) {
        let message = "is not publicly reachable. Addresses of this machine or of private networks \
                       have to be allowed with `--webhook-destinations`";
        return Err(RequestError::invalid("url", message));
    }
    Ok(())
}

fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost")
}
