//! Which servers credentials are sent to.

use super::{CallOptions, Core, Credential, InvalidBaseUrl, base};
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
    fn of(url: &Uri) -> Option<Self> {
        let scheme = url.scheme_str()?.to_ascii_lowercase();
        let usual = if scheme == "https" { 443 } else { 80 };
        Some(Self {
            host: url.host()?.to_ascii_lowercase(),
            port: url.port_u16().unwrap_or(usual),
            scheme,
        })
    }
}

/// The origins that credentials may be sent to, beside the client's own.
#[derive(Debug, Clone, Default)]
pub(super) struct Trusted {
    origins: Arc<Vec<Origin>>,
    all: bool,
}

/// A document directs credentials to a server that the client's user has not named; nothing was sent
/// there.
///
/// Credentials are sent to the origin (scheme, host and port) that the client was made with, to those
/// given to [`Core::server`] and [`Core::trust_origin`], and to no other: `servers` of an operation and
/// `tokenUrl` are text of the document, which may change with the next version of it.
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

    /// Where the credentials would have been sent, as [`Core::trust_origin`] takes it.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The operation, or the security scheme whose `tokenUrl` it is.
    pub const fn sender(&self) -> &'static str {
        self.sender
    }
}

impl fmt::Display for UntrustedOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` would send credentials to `{}`, which is not the server of this client: allow it with \
             `Core::trust_origin`",
            self.sender, self.origin
        )
    }
}

impl std::error::Error for UntrustedOrigin {}

impl<T> Core<T> {
    /// With another origin that credentials may be sent to, such as `https://uploads.example.com`: a
    /// document that has a server of its own for some operations, or a `tokenUrl` elsewhere, is refused
    /// them otherwise ([`UntrustedOrigin`]).
    ///
    /// # Errors
    ///
    /// Returns an error if `origin` is not a URL of a server.
    pub fn trust_origin(mut self, origin: &str) -> Result<Self, InvalidBaseUrl> {
        let url = base::parse(origin)?;
        Arc::make_mut(&mut self.trusted.origins).extend(Origin::of(&url));
        Ok(self)
    }

    /// Sends credentials wherever the document says. A change of the document can then send them to
    /// anybody.
    #[must_use]
    pub fn trust_every_origin(mut self) -> Self {
        self.trusted.all = true;
        self
    }

    /// Whether credentials may be sent to a URL.
    pub(super) fn trusts(&self, url: &Uri) -> bool {
        let Some(origin) = Origin::of(url) else {
            return false;
        };
        self.trusted.all
            || self.trusted.origins.contains(&origin)
            || (self.servers.chosen()).any(|base| Origin::of(base).as_ref() == Some(&origin))
    }

    /// The URL of a `tokenUrl`, which the client's id and secret may be sent to.
    #[cfg(feature = "tokens")]
    pub(super) fn token_url(
        &self,
        scheme: &'static str,
        stated: &str,
    ) -> Result<Uri, super::BuildError> {
        let url = base::resolve(&self.servers.base, stated)
            .filter(|url| !super::redact::has_userinfo(url))
            .ok_or_else(|| InvalidBaseUrl::new(stated, "the `tokenUrl` is no URL"))?;
        if self.trusts(&url) {
            Ok(url)
        } else {
            Err(UntrustedOrigin::new(scheme, &url).into())
        }
    }
}

/// Whether a request with these would show who sends it. A pair that a user adds to the query is often
/// an API key, and says of itself no more than any other; so each of them counts.
pub(super) fn shows(credentials: &[Credential], options: &CallOptions) -> bool {
    let headers = &options.headers;
    let shown = |credential: &Credential| !matches!(credential, Credential::Transport);
    let named = [AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE];
    credentials.iter().any(shown)
        || !options.query.is_empty()
        || named.iter().any(|name| headers.contains_key(name))
        || headers.values().any(http::HeaderValue::is_sensitive)
}
