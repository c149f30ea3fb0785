//! Origins that credentials may be sent to.

use super::{CallOptions, ClientCore, Credential, InvalidBaseUrl, base};
use http::Uri;
use http::header::{AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION};
use std::fmt;
use std::sync::Arc;

/// A scheme, a host and a port (RFC 6454, section 4).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl Origin {
    fn new(url: &Uri) -> Option<Self> {
        let scheme = url.scheme_str()?.to_ascii_lowercase();
        let usual = if scheme == "https" { 443 } else { 80 };
        Some(Self {
            host: url.host()?.to_ascii_lowercase(),
            port: url.port_u16().unwrap_or(usual),
            scheme,
        })
    }
}

/// Returns whether two URLs have the same origin.
pub(super) fn same(url: &Uri, other: &Uri) -> bool {
    Origin::new(url).is_some_and(|origin| Some(origin) == Origin::new(other))
}

/// The origins that credentials may be sent to, in addition to the client's own servers.
#[derive(Debug, Clone, Default)]
pub(super) struct Trusted {
    origins: Arc<Vec<Origin>>,
    all: bool,
}

/// The error of credentials for an origin that the caller has not named. Nothing was sent.
///
/// Credentials are sent only to the origin (scheme, host and port) that the client was created
/// with, and to those given to [`ClientCore::override_server`] and [`ClientCore::trust_origin`]: `servers` of
/// an operation and `tokenUrl` are text of the document, which may change with its next version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntrustedOrigin {
    sender: &'static str,
    origin: String,
}

impl UntrustedOrigin {
    pub(super) fn new(sender: &'static str, url: &Uri) -> Self {
        let scheme = url.scheme_str().unwrap_or("http");
        let host = url.host().unwrap_or_default();
        let port = url
            .port_u16()
            .map_or_else(String::new, |port| format!(":{port}"));
        Self {
            sender,
            origin: format!("{scheme}://{host}{port}"),
        }
    }

    /// Returns the origin that was refused, in the form that [`ClientCore::trust_origin`] accepts.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the id of the operation, or the name of the security scheme whose `tokenUrl` was
    /// refused.
    pub const fn sender(&self) -> &'static str {
        self.sender
    }
}

impl fmt::Display for UntrustedOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` would send credentials to `{}`, which is not the server of this client: allow it with \
             `ClientCore::trust_origin`",
            self.sender, self.origin
        )
    }
}

impl std::error::Error for UntrustedOrigin {}

impl<T> ClientCore<T> {
    /// Trusts another origin with credentials, such as `https://uploads.example.com`.
    ///
    /// Without this, operations for which the document states a server of another origin, and a
    /// `tokenUrl` of another origin, fail with [`UntrustedOrigin`].
    ///
    /// # Errors
    ///
    /// Returns an error if `origin` is not an absolute `http` or `https` URL, or contains credentials,
    /// a query or a fragment.
    pub fn trust_origin(mut self, origin: &str) -> Result<Self, InvalidBaseUrl> {
        let url = base::parse(origin)?;
        Arc::make_mut(&mut self.trusted.origins).extend(Origin::new(&url));
        Ok(self)
    }

    /// Trusts every origin that the document names. A changed document can then send credentials to
    /// any host.
    #[must_use]
    pub fn trust_every_origin(mut self) -> Self {
        self.trusted.all = true;
        self
    }

    /// Returns whether credentials may be sent to a URL.
    pub(super) fn trusts(&self, url: &Uri) -> bool {
        let Some(origin) = Origin::new(url) else {
            return false;
        };
        self.trusted.all
            || self.trusted.origins.contains(&origin)
            || (self.servers.chosen()).any(|base| Origin::new(base).as_ref() == Some(&origin))
    }

    /// Resolves a `tokenUrl`, and checks that the client's id and secret may be sent to it.
    #[cfg(feature = "tokens")]
    pub(super) fn token_url(
        &self,
        scheme: &'static str,
        stated: &str,
    ) -> Result<Uri, super::BuildError> {
        let url = base::resolve(&self.servers.base, stated)
            .filter(|url| !super::redact::has_userinfo(url))
            .ok_or_else(|| InvalidBaseUrl::new(stated, "the `tokenUrl` is not a URL"))?;
        if self.trusts(&url) {
            Ok(url)
        } else {
            Err(UntrustedOrigin::new(scheme, &url).into())
        }
    }
}

/// Returns whether a request with these options would contain credentials. A pair that the caller
/// adds to the query is often an API key, and cannot be distinguished from other pairs, so every
/// pair counts.
pub(super) fn shows(credentials: &[Credential], options: &CallOptions) -> bool {
    let headers = &options.headers;
    let shown = |credential: &Credential| !matches!(credential, Credential::Transport);
    let named = [AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE];
    credentials.iter().any(shown)
        || !options.query.is_empty()
        || named.iter().any(|name| headers.contains_key(name))
        || headers.values().any(http::HeaderValue::is_sensitive)
}
