//! Token flows, as the document describes them.

use super::TokenErrorKind;
use crate::ends::client::Secret;
use crate::values::Json;
#[cfg(feature = "tokens")]
use crate::values::short::short;
use http::StatusCode;
use std::time::Duration;

/// Limit for an error code, in bytes: errors show the code, and a longer text is not one.
const CODE: usize = 256;

/// Limit for the description of an error, in bytes.
#[cfg(feature = "tokens")]
const DESCRIPTION: usize = 1024;

/// The method by which a client authenticates at the token endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClientAuthentication {
    /// HTTP Basic with the plain id and secret (RFC 7617).
    Basic,
    /// HTTP Basic with the form-encoded id and secret (RFC 6749, section 2.3.1).
    EncodedBasic,
    /// `client_id` and `client_secret` in the form (RFC 6749, section 2.3.1).
    Form,
    /// A header with the id, and no secret.
    IdHeader(&'static str),
}

/// The token flow of a security scheme: a constant of generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenFlow {
    pub(super) scheme: &'static str,
    pub(super) url: &'static str,
    pub(super) refresh_url: Option<&'static str>,
    pub(super) envelope: &'static str,
    pub(super) authentication: ClientAuthentication,
    pub(super) refresh: ClientAuthentication,
    pub(super) code: &'static str,
    pub(super) non_refreshable_codes: &'static [&'static str],
}

impl TokenFlow {
    /// Creates the flow of RFC 6749 for a security scheme. `url` may be relative to the base URL of
    /// the client.
    pub const fn new(scheme: &'static str, url: &'static str) -> Self {
        Self {
            scheme,
            url,
            refresh_url: None,
            envelope: "",
            authentication: ClientAuthentication::EncodedBasic,
            refresh: ClientAuthentication::EncodedBasic,
            code: "/error",
            non_refreshable_codes: &[],
        }
    }

    /// Sets the URL at which tokens are refreshed (`refreshUrl`), which may be relative. The default
    /// is the URL of the endpoint.
    #[must_use]
    pub const fn refresh_url(self, url: &'static str) -> Self {
        Self {
            refresh_url: Some(url),
            ..self
        }
    }

    /// Sets the JSON pointer of the object that contains the members of the token response. The
    /// default is the root.
    #[must_use]
    pub const fn envelope(self, pointer: &'static str) -> Self {
        Self {
            envelope: pointer,
            ..self
        }
    }

    /// Sets how the client authenticates when it obtains a new pair, and when it refreshes one.
    #[must_use]
    pub const fn authentication(
        self,
        obtain: ClientAuthentication,
        refresh: ClientAuthentication,
    ) -> Self {
        Self {
            authentication: obtain,
            refresh,
            ..self
        }
    }

    /// Sets the error codes, at this JSON pointer of a 401, for which a refresh is useless.
    #[must_use]
    pub const fn non_refreshable_codes(
        self,
        pointer: &'static str,
        codes: &'static [&'static str],
    ) -> Self {
        Self {
            code: pointer,
            non_refreshable_codes: codes,
            ..self
        }
    }

    /// Returns the URL of the endpoint, as the document states it.
    pub const fn url(&self) -> &'static str {
        self.url
    }

    /// Returns the name of the security scheme.
    pub const fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// Returns whether a retry with another token may succeed: the status is 401, and its code is
    /// not one of the [non-refreshable codes](Self::non_refreshable_codes).
    pub fn should_refresh(&self, status: StatusCode, body: &[u8]) -> bool {
        status == StatusCode::UNAUTHORIZED
            && (self.non_refreshable_codes.is_empty()
                || self
                    .code_of(body)
                    .is_none_or(|code| !self.non_refreshable_codes.contains(&code.as_str())))
    }

    /// Returns the code in the body of an error.
    pub(super) fn code_of(&self, body: &[u8]) -> Option<String> {
        let body: Json = serde_json::from_slice(body).ok()?;
        let text = |pointer: &str| Some(body.pointer(pointer)?.as_str()?.to_owned());
        let code = text(self.code).or_else(|| text("/error"));
        code.filter(|code| code.len() <= CODE)
    }

    /// Returns the description in the body of an error (RFC 6749, section 5.2).
    #[cfg(feature = "tokens")]
    pub(super) fn description_of(&self, body: &[u8]) -> Option<String> {
        let body: Json = serde_json::from_slice(body).ok()?;
        let text = body.get("error_description")?.as_str()?;
        Some(short(text, DESCRIPTION))
    }

    /// Parses the response of the endpoint (RFC 6749, section 5.1, at the place that
    /// [`envelope`](Self::envelope) sets).
    ///
    /// # Errors
    ///
    /// Returns [`TokenErrorKind::Malformed`] if the response cannot be parsed. The lifetime is
    /// optional; it must be a whole number that is not negative, as a number or as text.
    pub fn read(&self, body: &[u8]) -> Result<TokenResponse, TokenErrorKind> {
        let malformed = |member: &str, why| TokenErrorKind::Malformed {
            pointer: match member {
                "" => String::new(),
                member => format!("{}/{member}", self.envelope),
            },
            why,
        };
        let body: Json = serde_json::from_slice(body).map_err(|_| malformed("", "is not JSON"))?;
        let members = body
            .pointer(self.envelope)
            .and_then(Json::as_object)
            .ok_or_else(|| malformed("", "is not an object with a token"))?;
        let text = |member: &str| match members.get(member) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) if text.is_empty() => Err(malformed(member, "is empty")),
            Some(Json::String(text)) => Ok(Some(Secret::from(text.as_str()))),
            Some(_) => Err(malformed(member, "is not a string")),
        };
        let access_token =
            text("access_token")?.ok_or_else(|| malformed("access_token", "is missing"))?;
        // With a token that a header cannot contain, every call would fail.
        if http::HeaderValue::from_str(access_token.expose()).is_err() {
            return Err(malformed("access_token", "holds what no header can"));
        }
        let kind = members.get("token_type").and_then(Json::as_str);
        if kind.is_some_and(|kind| !kind.eq_ignore_ascii_case("bearer")) {
            return Err(malformed("token_type", "is not `bearer`"));
        }
        let seconds = match members.get("expires_in") {
            None | Some(Json::Null) => None,
            Some(Json::Number(number)) => Some(
                (number.as_u64())
                    .or_else(|| number.as_f64().filter(|at| *at >= 0.0).map(|at| at as u64))
                    .ok_or_else(|| malformed("expires_in", "is negative"))?,
            ),
            Some(Json::String(text)) => Some(
                text.parse()
                    .map_err(|_| malformed("expires_in", "is not a number of seconds"))?,
            ),
            Some(_) => return Err(malformed("expires_in", "is not a number of seconds")),
        };
        Ok(TokenResponse {
            access_token,
            refresh_token: text("refresh_token")?,
            lifetime: seconds.map(Duration::from_secs),
        })
    }
}

/// The tokens that a token endpoint returned.
#[derive(Debug, Clone)]
pub struct TokenResponse {
    /// The bearer token.
    pub access_token: Secret,
    /// The refresh token for the next pair.
    pub refresh_token: Option<Secret>,
    /// The lifetime of the access token, measured from the token request; `None` if the endpoint
    /// does not state it.
    pub lifetime: Option<Duration>,
}
