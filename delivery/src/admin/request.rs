//! The parameters of requests, and where requests come from.

use super::Failure;
use crate::Timestamp;
use http::header::{ACCEPT, CONTENT_TYPE, HOST, ORIGIN};
use http::{HeaderMap, HeaderValue, Request};
use http_body::Body;
use http_body_util::{BodyExt, Limited};
use std::collections::BTreeMap;
use std::error::Error;
use url::form_urlencoded;

/// The longest body.
const LIMIT: usize = 16 << 10;
/// The number of deliveries on a page.
const PAGE: u32 = 50;
/// The largest number of deliveries in a response.
const MOST: u32 = 500;

/// The parameters of a request by their names. Empty ones are absent, except for the owner.
pub(super) struct Parameters(BTreeMap<String, String>);

impl Parameters {
    pub(super) fn of_query(query: Option<&str>) -> Self {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        Self(pairs.into_owned().collect())
    }

    /// Reads a form or a JSON object.
    pub(super) async fn of_body<B>(request: Request<B>) -> Result<Self, Failure>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let media = text(request.headers().get(CONTENT_TYPE)).to_ascii_lowercase();
        let body = Limited::new(request.into_body(), LIMIT).collect().await;
        let bytes = body.map_err(|_| Failure::Body)?.to_bytes();
        if !media.starts_with("application/json") {
            return Ok(Self(form_urlencoded::parse(&bytes).into_owned().collect()));
        }
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&bytes).map_err(|_| Failure::Parameter("body"))?;
        let members = object.into_iter().map(|(name, value)| match value {
            serde_json::Value::String(text) => (name, text),
            value => (name, value.to_string()),
        });
        Ok(Self(members.collect()))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.get(name).map(String::as_str);
        value.filter(|value| !value.is_empty())
    }

    pub(super) fn required(&self, name: &'static str) -> Result<&str, Failure> {
        self.get(name).ok_or(Failure::Parameter(name))
    }

    /// Returns the owner, whose name may be empty.
    pub(super) fn owner(&self) -> Result<&str, Failure> {
        let owner = self.0.get("owner").ok_or(Failure::Parameter("owner"))?;
        Ok(owner)
    }

    pub(super) fn number<T: std::str::FromStr>(
        &self,
        name: &'static str,
    ) -> Result<Option<T>, Failure> {
        let parse = |value: &str| value.parse().map_err(|_| Failure::Parameter(name));
        self.get(name).map(parse).transpose()
    }

    pub(super) fn time(&self, name: &'static str) -> Result<Option<Timestamp>, Failure> {
        Ok(self.number(name)?.map(Timestamp::from_millis))
    }

    /// Returns how many deliveries a response has.
    pub(super) fn limit(&self) -> Result<u32, Failure> {
        Ok(self.number("limit")?.unwrap_or(PAGE).clamp(1, MOST))
    }
}

fn text(value: Option<&HeaderValue>) -> &str {
    value.and_then(|value| value.to_str().ok()).unwrap_or("")
}

/// Returns whether the client is a browser that shows a page.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    text(headers.get(ACCEPT)).contains("text/html")
}

/// Returns whether a browser sent the request for another site. Other clients send neither header, and have
/// no credentials of a user that a page could abuse.
pub(super) fn is_foreign<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    if let Some(site) = headers.get("sec-fetch-site") {
        return site != "same-origin" && site != "none";
    }
    let Some(origin) = headers.get(ORIGIN) else {
        return false;
    };
    let host = match request.uri().authority() {
        Some(authority) => authority.as_str(),
        None => text(headers.get(HOST)),
    };
    let origin = text(Some(origin)).split_once("://");
    origin.is_none_or(|(_, origin)| host.is_empty() || !origin.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_other_sites_are_recognized() {
        for (headers, foreign) in [
            (&[][..], false),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[("sec-fetch-site", "none")], false),
            (&[("sec-fetch-site", "same-site")], true),
            (&[("sec-fetch-site", "cross-site")], true),
            (
                &[
                    ("sec-fetch-site", "cross-site"),
                    ("origin", "http://a.example"),
                ],
                true,
            ),
            (&[("origin", "http://a.example")], false),
            (&[("origin", "HTTP://A.example")], false),
            (&[("origin", "http://a.example:81")], true),
            (&[("origin", "http://b.example")], true),
            (&[("origin", "null")], true),
        ] {
            let mut request = Request::builder().header("host", "a.example");
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let request = request.body(()).unwrap();
            assert_eq!(is_foreign(&request), foreign, "{headers:?}");
        }
        let without_host = Request::builder().header("origin", "http://a.example");
        assert!(is_foreign(&without_host.body(()).unwrap()));
    }
}
