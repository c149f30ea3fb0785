//! Where a signature stands, and the bytes that it covers.

use super::Encoding;
use crate::ends::mac::Code;
use crate::ends::signature::scheme::{
    MessageHeaders, SVIX, WEBHOOK, before_standard, before_stripe,
};
use crate::ends::webhook::{SignatureError, only_value};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName};

/// Limit for the number of listed signatures. A sender lists one for each secret that is valid while
/// another replaces it.
const MOST: usize = 16;

/// The headers of Standard Webhooks.
pub(super) static STANDARD_WEBHOOKS: [MessageHeaders; 1] = [WEBHOOK];

/// The headers of Svix, and those that it sends to endpoints which ask for them.
pub(super) static STANDARD_OR_SVIX: [MessageHeaders; 2] = [SVIX, WEBHOOK];

/// The place of a signature, and the bytes that it covers.
#[derive(Debug, Clone)]
pub(super) enum Scheme {
    /// `header: {prefix}{signature}` over the body.
    Body {
        header: HeaderName,
        prefix: &'static str,
        encoding: Encoding,
    },
    /// `header: t={seconds},v1={hex},…` over `{seconds}.{body}`.
    Stripe { header: HeaderName },
    /// `header: {prefix}{hex}` over `v0:{seconds}:{body}`, with the seconds in a header of their
    /// own.
    Slack,
    /// `{vendor}-signature: v1,{base64} …` over `{id}.{seconds}.{body}`.
    Standard { vendors: &'static [MessageHeaders] },
}

/// A signature as the headers of a webhook state it.
pub(super) struct Signed<'h> {
    /// The timestamp, as it is signed.
    pub(super) seconds: Option<&'h str>,
    /// The bytes in front of the body.
    before: [&'h [u8]; 4],
    /// The value with the signatures.
    text: &'h str,
    list: List,
    encoding: Encoding,
}

/// The form of the value with the signatures.
enum List {
    /// One signature after a prefix.
    One(&'static str),
    /// `v1={signature}`, separated by commas.
    Pairs,
    /// `v1,{signature}`, separated by spaces.
    Versions,
}

impl Scheme {
    /// Reads the headers of a webhook.
    pub(super) fn read<'h>(&self, headers: &'h HeaderMap) -> Result<Signed<'h>, SignatureError> {
        Ok(match self {
            Self::Body {
                header,
                prefix,
                encoding,
            } => Signed {
                seconds: None,
                before: [&[]; 4],
                text: only_value(headers, header)?,
                list: List::One(prefix),
                encoding: *encoding,
            },
            Self::Stripe { header } => {
                let text = only_value(headers, header)?;
                let seconds = pairs(text, "t").next().unwrap_or_default();
                Signed {
                    seconds: Some(seconds),
                    before: before_stripe(seconds.as_bytes()),
                    text,
                    list: List::Pairs,
                    encoding: Encoding::Hex,
                }
            }
            Self::Slack => {
                let timestamp = HeaderName::from_static("x-slack-request-timestamp");
                let seconds = only_value(headers, &timestamp)?;
                Signed {
                    seconds: Some(seconds),
                    before: [b"v0:", seconds.as_bytes(), b":", &[]],
                    text: only_value(headers, &HeaderName::from_static("x-slack-signature"))?,
                    list: List::One("v0="),
                    encoding: Encoding::Hex,
                }
            }
            Self::Standard { vendors } => {
                let vendor = vendor(vendors, headers)?;
                let id = only_value(headers, &vendor.id)?;
                let seconds = only_value(headers, &vendor.timestamp)?;
                Signed {
                    seconds: Some(seconds),
                    before: before_standard(id.as_bytes(), seconds.as_bytes()),
                    text: only_value(headers, &vendor.signature)?,
                    list: List::Versions,
                    encoding: Encoding::Base64,
                }
            }
        })
    }

    /// Returns the id of the message, if the signature covers one.
    pub(super) fn message_id<'h>(&self, headers: &'h HeaderMap) -> Option<&'h [u8]> {
        let Self::Standard { vendors } = self else {
            return None;
        };
        let vendor = vendor(vendors, headers).ok()?;
        Some(only_value(headers, &vendor.id).ok()?.as_bytes())
    }
}

impl<'h> Signed<'h> {
    /// Returns the bytes that are signed.
    pub(super) fn message<'m>(&self, body: &'m [u8]) -> [&'m [u8]; 5]
    where
        'h: 'm,
    {
        let [a, b, c, d] = self.before;
        [a, b, c, d, body]
    }

    /// Returns the listed signatures of the required form, of which there is at least one.
    pub(super) fn signatures(&self) -> Result<Vec<Code>, SignatureError> {
        match self.list {
            List::One(prefix) => match self.text.strip_prefix(prefix) {
                Some(text) => self.decode([text].into_iter()),
                None => Err(SignatureError::Invalid("does not have the required prefix")),
            },
            List::Pairs => self.decode(pairs(self.text, "v1")),
            List::Versions => {
                let listed = self.text.split(' ');
                self.decode(listed.filter_map(|signature| signature.strip_prefix("v1,")))
            }
        }
    }

    fn decode<'t>(
        &self,
        texts: impl Iterator<Item = &'t str>,
    ) -> Result<Vec<Code>, SignatureError> {
        let mut codes = Vec::new();
        for (number, text) in texts.enumerate() {
            if number == MOST {
                return Err(SignatureError::Invalid("is one of more than 16"));
            }
            codes.extend(decode(text, self.encoding));
        }
        if codes.is_empty() {
            return Err(SignatureError::Invalid("is not of the required form"));
        }
        Ok(codes)
    }
}

/// Returns the vendor whose signature the headers have.
fn vendor<'v>(
    vendors: &'v [MessageHeaders],
    headers: &HeaderMap,
) -> Result<&'v MessageHeaders, SignatureError> {
    let mut known = vendors.iter();
    let has_signature = |vendor: &&MessageHeaders| headers.contains_key(&vendor.signature);
    known.find(has_signature).ok_or_else(|| {
        let usual = vendors.first().map(|vendor| vendor.signature.clone());
        SignatureError::Missing(usual.unwrap_or(WEBHOOK.signature))
    })
}

/// Returns the values of a name in a list of pairs.
fn pairs<'t>(text: &'t str, name: &'static str) -> impl Iterator<Item = &'t str> {
    let pairs = text
        .split(',')
        .filter_map(|pair| pair.trim().split_once('='));
    pairs.filter_map(move |(key, value)| (key == name).then_some(value))
}

fn decode(text: &str, encoding: Encoding) -> Option<Code> {
    let mut bytes = [0; 32];
    match encoding {
        Encoding::Hex => hex::decode_to_slice(text, &mut bytes).ok()?,
        Encoding::Base64 => bytes = STANDARD.decode(text).ok()?.try_into().ok()?,
    }
    Some(bytes)
}
