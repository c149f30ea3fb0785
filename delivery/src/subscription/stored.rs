//! What stores read and write of a subscription.

use super::{Settings, Signing, Subscription};
use crate::signing::{SigningScheme, SigningSecrets, SigningToken};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use url::Url;

impl Subscription {
    /// Returns the distance of requests in microseconds, and how many may start at once.
    pub(crate) fn rate(&self) -> (i64, i64) {
        let limit = self.settings.rate_limit;
        limit.map_or((0, 1), |limit| (limit.every(), limit.burst()))
    }

    /// Returns the endpoints: first the URL for all kinds, under the empty name, then the URLs of
    /// single kinds.
    pub(crate) fn routes(&self) -> impl Iterator<Item = (&str, &Url)> {
        let own = self.kinds.iter();
        let own = own.filter_map(|(kind, url)| Some((kind.as_str(), url.as_ref()?)));
        self.url.iter().map(|url| ("", url)).chain(own)
    }

    /// Returns the selected kinds with their routes. `None` stands for every kind that is not
    /// listed.
    pub(crate) fn selected(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        let rest = (self.all && self.url.is_some()).then_some((None, ""));
        let named = self.kinds.iter().map(|(kind, own)| {
            let kind = kind.as_str();
            (Some(kind), if own.is_some() { kind } else { "" })
        });
        rest.into_iter().chain(named)
    }

    pub(crate) fn to_json(&self) -> String {
        let headers = self.headers.iter();
        let stored = Stored {
            url: self.url.clone(),
            kinds: self.kinds.clone(),
            all: self.all,
            headers: headers
                .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
                .collect(),
            signing: match &self.signing {
                Signing::None => StoredSigning::None,
                Signing::Token(token) => StoredSigning::Token(token.expose().to_owned()),
                Signing::Key => StoredSigning::Key,
                Signing::Secrets(secrets) => StoredSigning::Secrets(
                    secrets.scheme().as_str().to_owned(),
                    secrets.expose().map(str::to_owned).collect(),
                ),
            },
            concurrency: self.concurrency,
            settings: self.settings.clone(),
        };
        // Strings, numbers and maps with string keys always serialize.
        serde_json::to_string(&stored).unwrap_or_default()
    }

    pub(crate) fn from_json(
        id: String,
        owner: String,
        active: bool,
        json: &str,
    ) -> Result<Self, String> {
        let stored: Stored = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let mut headers = HeaderMap::new();
        for (name, value) in stored.headers {
            let name: HeaderName = name.parse().map_err(|_| "a header's name".to_owned())?;
            let mut value = HeaderValue::from_bytes(&value).map_err(|_| "a header's value")?;
            value.set_sensitive(true);
            headers.append(name, value);
        }
        Ok(Self {
            id,
            owner,
            active,
            url: stored.url,
            kinds: stored.kinds,
            all: stored.all,
            headers,
            signing: match stored.signing {
                StoredSigning::None => Signing::None,
                StoredSigning::Token(token) => {
                    // The required length was checked when the subscription was added.
                    let token = SigningToken::longer_than(token, 0);
                    Signing::Token(token.map_err(|error| error.to_string())?)
                }
                StoredSigning::Key => Signing::Key,
                StoredSigning::Secrets(scheme, secrets) => {
                    let scheme = SigningScheme::from_word(&scheme).ok_or("a signing scheme")?;
                    let secrets = SigningSecrets::new(scheme, secrets);
                    Signing::Secrets(secrets.map_err(|error| error.to_string())?)
                }
            },
            concurrency: stored.concurrency,
            settings: stored.settings,
        })
    }
}

/// The stored form of a subscription.
#[derive(Serialize, Deserialize)]
struct Stored {
    url: Option<Url>,
    kinds: BTreeMap<String, Option<Url>>,
    all: bool,
    headers: Vec<(String, Vec<u8>)>,
    signing: StoredSigning,
    concurrency: u16,
    #[serde(flatten)]
    settings: Settings,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredSigning {
    None,
    Token(String),
    Key,
    Secrets(String, Vec<String>),
}
