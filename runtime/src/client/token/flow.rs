//! How an API hands out tokens, as its document says.

use super::TokenErrorKind;
use crate::Json;
use crate::client::Secret;
use http::StatusCode;
use std::time::Duration;

/// The most bytes of a code, which errors show: what is longer is no code.
const CODE: usize = 256;

/// How a client says who it is to the token endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClientAuthentication {
    /// HTTP Basic with the id and the secret as they are (RFC 7617).
    Basic,
    /// HTTP Basic with the id and the secret form-encoded first (RFC 6749 section 2.3.1).
    EncodedBasic,
    /// `client_id` and `client_secret` in the form (RFC 6749 section 2.3.1).
    Form,
    /// A header with the id, and no secret.
    IdHeader(&'static str),
}

/// How an API hands out tokens: a constant of generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenFlow {
    pub(super) scheme: &'static str,
    pub(super) url: &'static str,
    pub(super) envelope: &'static str,
    pub(super) authentication: ClientAuthentication,
    pub(super) refresh: ClientAuthentication,
    pub(super) code: &'static str,
    pub(super) non_refreshable_codes: &'static [&'static str],
}

impl TokenFlow {
    /// The flow of RFC 6749 for a scheme of the document. The URL may be relative to that of the
    /// client's server.
    pub const fn new(scheme: &'static str, url: &'static str) -> Self {
        Self {
            scheme,
            url,
            envelope: "",
            authentication: ClientAuthentication::EncodedBasic,
            refresh: ClientAuthentication::EncodedBasic,
            code: "/error",
            non_refreshable_codes: &[],
        }
    }

    /// With the members of the answer not at its root but in what this JSON pointer names.
    #[must_use]
    pub const fn envelope(self, pointer: &'static str) -> Self {
        Self {
            envelope: pointer,
            ..self
        }
    }

    /// With another way to say who the client is when it asks for a new pair, and when it
    /// refreshes one.
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

    /// With codes, at this JSON pointer of a 401, that another token does not cure.
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

    /// The URL of the endpoint, as the document has it.
    pub const fn url(&self) -> &'static str {
        self.url
    }

    /// The scheme of the document.
    pub const fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// Whether another token may cure this answer: a 401 whose code is not one of those that it
    /// cannot.
    pub fn should_refresh(&self, status: StatusCode, body: &[u8]) -> bool {
        status == StatusCode::UNAUTHORIZED
            && (self.non_refreshable_codes.is_empty()
                || self
                    .code_of(body)
                    .is_none_or(|code| !self.non_refreshable_codes.contains(&code.as_str())))
    }

    /// The code in the body of an error.
    pub(super) fn code_of(&self, body: &[u8]) -> Option<String> {
        let body: Json = serde_json::from_slice(body).ok()?;
        let text = |pointer: &str| Some(body.pointer(pointer)?.as_str()?.to_owned());
        let code = text(self.code).or_else(|| text("/error"));
        code.filter(|code| code.len() <= CODE)
    }

    /// Reads the answer of the endpoint (RFC 6749 section 5.1, but for where the members are).
    ///
    /// # Errors
    ///
    /// [`TokenErrorKind::Malformed`] for what cannot be read. A lifetime may be missing; where there is
    /// one it has to be a whole number that is not negative, as a number or as text.
    pub fn read(&self, body: &[u8]) -> Result<TokenResponse, TokenErrorKind> {
        let malformed = |member: &str, why| TokenErrorKind::Malformed {
            pointer: match member {
                "" => String::new(),
                member => format!("{}/{member}", self.envelope),
            },
            why,
        };
        let body: Json = serde_json::from_slice(body).map_err(|_| malformed("", "is no JSON"))?;
        let members = body
            .pointer(self.envelope)
            .and_then(Json::as_object)
            .ok_or_else(|| malformed("", "is no object with a token"))?;
        let text = |member: &str| match members.get(member) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) if text.is_empty() => Err(malformed(member, "is empty")),
            Some(Json::String(text)) => Ok(Some(Secret::from(text.as_str()))),
            Some(_) => Err(malformed(member, "is no text")),
        };
        let access_token =
            text("access_token")?.ok_or_else(|| malformed("access_token", "is missing"))?;
        // A token that no header can hold would fail at every call.
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
                    .map_err(|_| malformed("expires_in", "is no number of seconds"))?,
            ),
            Some(_) => return Err(malformed("expires_in", "is no number of seconds")),
        };
        Ok(TokenResponse {
            access_token,
            refresh_token: text("refresh_token")?,
            lifetime: seconds.map(Duration::from_secs),
        })
    }
}

/// What a token endpoint grants.
#[derive(Debug, Clone)]
pub struct TokenResponse {
    /// The bearer token.
    pub access_token: Secret,
    /// What the next pair can be got with.
    pub refresh_token: Option<Secret>,
    /// How long the access token is valid, counted from when it was asked for; `None` where the
    /// endpoint does not say.
    pub lifetime: Option<Duration>,
}
