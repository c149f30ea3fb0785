//! Credentials in a request, by the security schemes of the document.

use super::Context;
use crate::message::SecurityRequirement;
use crate::message::credential::{Basic, MutualTls, Secret};
use crate::message::wire::percent::decode;
use crate::message::wire::{cookie, query};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use http::header::{AUTHORIZATION, COOKIE};
use zeroize::Zeroizing;

/// The credentials that a caller presents: a struct with a field for each security scheme of the
/// document, described by [`presented_credentials!`](crate::presented_credentials).
pub trait PresentedCredentials: Default + Send {
    /// The schemes: name, kind, and the name of the header, query parameter or cookie.
    const SCHEMES: &'static [(&'static str, &'static str, &'static str)];

    /// Reads the credential of a scheme from a request. Returns `false` if the request has none.
    fn take(&mut self, scheme: &str, from: &CredentialReader<'_>) -> bool;

    /// Reads the credentials of all these schemes; `None` if one is missing.
    fn all(needed: &[SecurityRequirement], context: &Context) -> Option<Self> {
        let source = CredentialReader { context };
        let mut shown = Self::default();
        let all = needed
            .iter()
            .all(|requirement| shown.take(requirement.scheme, &source));
        all.then_some(shown)
    }
}

/// A reader of the credentials in a request.
#[derive(Debug)]
pub struct CredentialReader<'a> {
    context: &'a Context,
}

impl CredentialReader<'_> {
    const fn headers(&self) -> &HeaderMap {
        self.context.headers()
    }

    /// Returns the credentials in `Authorization: Basic …` (RFC 7617).
    pub fn basic(&self) -> Option<Basic> {
        let code = self.http("Basic")?;
        let pair = Zeroizing::new(STANDARD.decode(code.expose()).ok()?);
        let (user, password) = std::str::from_utf8(&pair).ok()?.split_once(':')?;
        Some(Basic::new(user, password))
    }

    /// Returns the token in `Authorization: Bearer …` (RFC 6750).
    pub fn bearer(&self) -> Option<Secret> {
        self.http("Bearer")
    }

    /// Returns the credentials in `Authorization` with another authentication scheme.
    pub fn http(&self, word: &str) -> Option<Secret> {
        let values = self.headers().get_all(AUTHORIZATION);
        values.iter().find_map(|value| {
            let (scheme, rest) = value.to_str().ok()?.trim().split_once(' ')?;
            let is_match = scheme.eq_ignore_ascii_case(word) && !rest.trim().is_empty();
            is_match.then(|| Secret::from(rest.trim()))
        })
    }

    /// Returns a key in a header.
    pub fn header(&self, name: &str) -> Option<Secret> {
        let value = self.headers().get(name)?.to_str().ok()?;
        (!value.is_empty()).then(|| Secret::from(value))
    }

    /// Returns a key in the query; `None` if there are several.
    pub fn query(&self, name: &str) -> Option<Secret> {
        let pairs = query::pairs(self.context.uri().query()?);
        let mut keys = pairs.iter().filter(|(key, _)| key == name);
        let (Some((_, raw)), None) = (keys.next(), keys.next()) else {
            return None;
        };
        let text = decode(raw, true).ok()?;
        (!text.is_empty()).then(|| Secret::from(text.as_ref()))
    }

    /// Returns a key in a cookie, without decoding it: no standard defines an encoding of cookies
    /// (RFC 6265, section 4.1.1).
    pub fn cookie(&self, name: &str) -> Option<Secret> {
        let headers = self.headers().get_all(COOKIE).iter();
        headers
            .filter_map(|value| value.to_str().ok())
            .find_map(|text| {
                let pairs = cookie::pairs(text, true);
                let (_, value) = pairs.into_iter().find(|(key, _)| key == name)?;
                (!value.is_empty()).then(|| Secret::from(value))
            })
    }

    /// Returns the marker of mutual TLS. The authenticator has to check the connection itself, by
    /// what the listener has set in the extensions of the request.
    pub const fn transport(&self) -> Option<MutualTls> {
        Some(MutualTls)
    }
}

/// Implements `server::PresentedCredentials` for a struct with a field for each security scheme of
/// the document.
///
/// ```
/// use bothends_runtime::server::{Basic, Secret};
///
/// #[derive(Debug, Clone, Default)]
/// pub struct Credentials {
///     pub client_basic: Option<Basic>,
///     pub client_id: Option<Secret>,
/// }
/// bothends_runtime::presented_credentials! {
///     Credentials {
///         client_basic: basic "clientBasic",
///         client_id: header "clientId" "X-Client-Id",
///     }
/// }
/// ```
///
/// The rows are those of [`credentials!`](crate::credentials).
#[macro_export]
macro_rules! presented_credentials {
    ($Type:ident { $($field:ident : $kind:ident $scheme:literal $($name:literal)?),* $(,)? }) => {
        const _: &[&str] = $crate::private::distinct_of("scheme", &[$($scheme),*]);

        impl $crate::server::PresentedCredentials for $Type {
            const SCHEMES: &'static [(&'static str, &'static str, &'static str)] =
                &[$(($scheme, ::core::stringify!($kind), ::core::concat!($($name)?))),*];

            fn take(&mut self, scheme: &str, from: &$crate::server::CredentialReader<'_>) -> bool {
                match scheme {
                    $($scheme => {
                        self.$field = from.$kind($($name)?);
                        self.$field.is_some()
                    })*
                    _ => false,
                }
            }
        }
    };
}
