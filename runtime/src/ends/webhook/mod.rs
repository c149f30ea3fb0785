//! Receivers of webhooks.
//!
//! A [`WebhookRouter`], which generated code creates as `webhooks::router(handler)`, determines the
//! kind of a request and calls its handler. Kinds without a handler, unknown kinds and payloads
//! that cannot be decoded are passed to [a hook](WebhookRouter::unhandled), with their bytes as
//! received.
//!
//! With the feature `receiver`, a `Receiver` wraps the router: it verifies the bytes as received,
//! by a `TokenSignature`, an `HmacSignature`, a `KeySignature` (feature `jwks`) or a custom
//! `Verifier`, and with a `DedupStore` it handles each event once.
//!
//! Statuses are chosen for a sender that retries only on 408, 425, 429, 500, 502, 503 and 504: a
//! webhook that would be rejected again gets another status, and one that may succeed later gets
//! 503.

mod call;
mod callback;
mod kind;
mod router;
mod selector;
mod unhandled;

#[cfg(feature = "receiver")]
mod dedup;
#[cfg(feature = "receiver")]
mod hmac;
#[cfg(feature = "jwks")]
mod jwks;
#[cfg(feature = "jwks")]
mod keys;
#[cfg(feature = "receiver")]
mod receiver;
#[cfg(feature = "receiver")]
mod token;
#[cfg(feature = "receiver")]
mod verifier;

#[cfg(feature = "receiver")]
pub use crate::ends::signature::InvalidToken;
pub use call::{BegunWebhook, FinishWebhook, UndecodedWebhook, WebhookCall};
pub use callback::{CallbackUrl, CallbackUrlError, UrlPart};
#[cfg(feature = "receiver")]
pub use dedup::{DedupState, DedupStore, EventKey, MemoryDedupStore};
#[cfg(feature = "receiver")]
pub use hmac::{Encoding, HmacSignature, InvalidSecret};
#[cfg(all(feature = "jwks", feature = "client"))]
pub use jwks::HttpKeys;
#[cfg(feature = "jwks")]
pub use jwks::{KeyFetcher, KeySignature};
#[cfg(feature = "jwks")]
pub use keys::{InvalidKeys, KeySet};
pub use kind::Kind;
#[cfg(feature = "receiver")]
pub use receiver::Receiver;
pub use router::WebhookRouter;
pub use selector::Selector;
#[cfg(feature = "receiver")]
pub use token::TokenSignature;
pub use unhandled::{UnhandledReason, UnhandledWebhook, unhandled};
#[cfg(feature = "receiver")]
pub use verifier::{SignatureError, Verifier};
#[cfg(feature = "receiver")]
use verifier::{header_of, only_value};
